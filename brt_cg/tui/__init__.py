"""The screen: Home, Dashboard, Refit and Forces, over the same desk as the command line."""
