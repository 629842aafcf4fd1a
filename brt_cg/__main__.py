"""`python -m brt_cg` is the program `brt-cg`."""

import sys

from brt_cg.cli import main

if __name__ == "__main__":
    sys.exit(main())
