"""The seconds that the screen waits for the next key before it does what takes longer."""

ON_ROW = 0.04  # before the page of a row is shown, which lays the room out again
BEFORE_LOOKING_UP = 0.15  # before something is looked up: a history, entries, an effect
WHILE_TYPING = 0.2  # before what is typed in a form is judged
