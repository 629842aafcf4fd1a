"""The Textual screen: its rooms, over the same open campaign as the command line.

From the bottom: `look` (colors, styles, columns), `keys`, `memory` (between runs), `lists`,
`question` (the question for the player), `session` (the open campaign and its thread), `dialogs`,
`frame` (the frame of every room), `map`, `point` (on the map), `forms`, `answering` (a question),
`rooms`, `app`. Each imports only those before it; no room imports another.
"""
