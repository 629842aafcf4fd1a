"""The Textual screen: its rooms, over the same desk as the command line.

From the bottom: `look` (colours, styles, columns), `keys`, `memory` (between runs), `lists`,
`question` (what the player is asked), `session` (the open campaign and its thread), `dialogs`,
`frame` (what every room has around it), `map`, `point` (on the map), `forms`, `answering` (a
question), `rooms`, `app`. Each knows only those before it; no room knows another.
"""
