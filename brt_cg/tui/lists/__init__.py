"""The lists of rows, counters and log lines, and their contents."""
