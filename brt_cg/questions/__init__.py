"""The questions that a step may ask, how they are answered, and the dice."""
