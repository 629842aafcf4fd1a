"""The open campaign as one seat sees it, its thread, and the app as the rooms know it."""

CANNOT_OPEN = 2  # the exit status of a served screen that cannot open its campaign
