"""Files that come in, one module per format: each gives what a command or a driver takes."""
