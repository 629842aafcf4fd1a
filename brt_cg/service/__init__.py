"""The one service that the screen and the command line use, and the demo campaign."""
