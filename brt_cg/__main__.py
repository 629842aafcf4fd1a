"""`brt-cg`, and `python -m brt_cg`: the program as a process of its own."""

import atexit
import gc
import os
import sys

from brt_cg.cli import load_command

# How much is made before it is looked through for garbage: a journal is tens of thousands of things
# that stay, and each picture of the screen a few thousand, nearly all of which go with the next.
GARBAGE = (20_000, 5, 5)


def run() -> int:
    """Runs the command of this process. Returns its exit status."""
    status: list[int] = []
    # What is noted first is done last. Where somebody (coverage, a debugger) has noted something
    # already, which this would cut off, the process ends as any other.
    if not atexit._ncallbacks():
        atexit.register(_end_at_once, status)
    gc.disable()  # while all is loaded, of which nothing is garbage
    try:
        command = load_command(sys.argv[1:])
    except SystemExit as told:  # help, or what is wrong
        status += [told.code] if isinstance(told.code, int) else []
        raise
    gc.freeze()  # nor will it be: it is never looked through again
    gc.set_threshold(*GARBAGE)
    gc.enable()
    status.append(command())
    return status[0]


def _end_at_once(status: list[int]) -> None:
    """Ends the process as the last thing it does at its end, its status known: to take down, piece
    by piece, what the system takes back as a whole would last a tenth of a command."""
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:  # closed by the one who started it, or nobody reads on
                stream.flush()
    except (OSError, ValueError):
        return  # Python tells what is not written
    if status:  # else something was raised, which Python has told
        os._exit(status[0])


if __name__ == "__main__":
    sys.exit(run())
