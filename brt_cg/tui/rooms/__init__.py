"""The rooms, a folder for each: its screen, contents, forms, style, keys and help.

A new room is a folder with `screen.py` (a Room with its PLACE), `style.tcss`, `keys.toml` and
`help.toml`; its name in `keys/actions.py`, its key in `keys/everywhere.toml`, and the action of
that key in `frame/ways.py`. tests/tui/rooms/test_every_room.py reports anything still missing.
"""
