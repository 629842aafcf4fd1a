"""The journal as a seat may know it: its lines, its questions, the changes that it sees, and their
hash chain."""
