"""Input files, with one module per format: each returns the input of a command or a driver."""
