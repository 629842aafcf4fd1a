"""One module for each screen, named as on the screen."""
