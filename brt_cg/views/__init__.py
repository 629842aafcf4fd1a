"""The journal as a seat may know it: its lines, its questions, the changes it sees, and their hash
chain."""
