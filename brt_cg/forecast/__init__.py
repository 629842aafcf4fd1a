"""Forecasts of the coming Refit Phase: it is played many times on copies in memory.

The same steps are played with the program's own dice, and with given choices or else the defaults.
Run number N of a seed always has the same dice, so a forecast is the same on any number of cores,
and two sets of choices are compared on the same dice. The dice of many runs together are evenly
distributed: see StratifiedDice (dice.py).
"""

MOST = 5000  # Refit Phases, if no number is given and some chance is not settled before
