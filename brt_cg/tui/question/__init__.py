"""What the player is asked: a question as a list, a form as fields, and the answers noted before
they are given."""
