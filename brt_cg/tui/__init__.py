"""The Textual screen: its rooms, over the same desk as the command line."""
