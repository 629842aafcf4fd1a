"""What to expect of the coming Refit Phase: it is played many times over, on copies, in memory.

The very same steps are played with dice of the program's own, and with the choices that are given
or else the defaults. Run number N of a seed has the same dice whoever plays it, so a forecast comes
out the same on however many cores, and two sets of choices are compared on the same dice.
"""
