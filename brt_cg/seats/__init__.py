"""The journal as a seat may know it: its lines, its questions, what it sees change, and the hashes
of that; and the pages that are written of it for a player's role on a server.
"""
