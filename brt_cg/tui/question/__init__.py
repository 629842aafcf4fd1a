"""Questions to the player: a question as a list, a form as fields, and the answers noted before
they are given."""
