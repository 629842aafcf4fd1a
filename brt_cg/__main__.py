"""`brt-cg`, and `python -m brt_cg`: the program as a separate process."""

import atexit
import gc
import os
import sys

from brt_cg.cli import load_command

# The number of new objects before a search for garbage: a journal has tens of thousands of lasting
# objects, and each snapshot for the screen a few thousand, nearly all of which are freed with the
# next.
GARBAGE = (20_000, 5, 5)


def run() -> int:
    """Run the command of this process. Return its exit status."""
    status: list[int] = []
    # The function registered first is called last. If something (coverage, a debugger) has
    # registered one already, which this would skip, the process ends normally.
    if not atexit._ncallbacks():
        atexit.register(_end_at_once, status)
    gc.disable()  # nothing loaded at startup is garbage
    try:
        command = load_command(sys.argv[1:])
    except SystemExit as told:  # help, or an error
        status += [told.code] if isinstance(told.code, int) else []
        raise
    gc.freeze()  # never search the loaded objects
    gc.set_threshold(*GARBAGE)
    gc.enable()
    status.append(command())
    return status[0]


def _end_at_once(status: list[int]) -> None:
    """End the process as soon as its exit status is known. The system then frees all memory at
    once, which saves a tenth of the command's time."""
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:  # None if the parent process closed it
                stream.flush()
    except (OSError, ValueError):
        return  # Python reports the unwritten output
    if status:  # otherwise Python has reported an error
        os._exit(status[0])


if __name__ == "__main__":
    sys.exit(run())
