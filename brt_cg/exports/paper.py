"""The paper that documents are printed on."""

import locale
import os
from enum import StrEnum

from brt_cg.immutable import immutable

# Where Letter is the usual paper, by the territory of a locale, as POSIX and Windows write it.
LETTER_COUNTRIES = (
    *("US", "CA", "MX", "CL", "CO", "CR", "DO", "GT", "NI", "PA", "PH", "PR", "SV", "VE"),
    *("United States", "Canada", "Mexico", "Chile", "Colombia", "Costa Rica", "Guatemala"),
    *("Dominican Republic", "Nicaragua", "Panama", "Philippines", "Puerto Rico", "El Salvador"),
    "Venezuela",
)


class Paper(StrEnum):
    """A size of paper."""

    LETTER = "letter"
    A4 = "a4"

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in millimeters, upright."""
        return (215.9, 279.4) if self is Paper.LETTER else (210, 297)


@immutable
class Printing:
    """The settings of a document: the paper, and `full`, with all tables."""

    paper: Paper = Paper.A4
    full: bool = False


AS_USUAL = Printing()


def default_paper() -> Paper:
    """Return the paper of the player's country, by the locale."""
    words = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_PAPER", "LANG"))), None)
    name = words or locale.getlocale()[0] or ""
    country = name.partition(".")[0].partition("@")[0].partition("_")[2]
    return Paper.LETTER if country in LETTER_COUNTRIES else Paper.A4
