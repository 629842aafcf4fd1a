"""Lists of rows, counters and log lines, and what they show."""
