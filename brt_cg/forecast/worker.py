"""A process that plays runs of a forecast for another process. It reads the start, then the numbers
of runs, and writes the counts, one line each."""

import json
import sys

from brt_cg.forecast.runs import Runs
from brt_cg.forecast.start import ForecastStart
from brt_cg.questions import RefusedError

REFUSED = "refused "


def main() -> None:
    """Play runs until the input ends."""
    runs = None
    for line in sys.stdin:
        try:
            if runs is None:
                runs = Runs(ForecastStart(**json.loads(line)))
                continue
            first, count = map(int, line.split())
            text = runs.play(first, count).as_hex()
        except RefusedError as refused:
            text = REFUSED + json.dumps(str(refused))
        sys.stdout.write(text + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
