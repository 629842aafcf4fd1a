"""A broken limit, as a value: collected and shown together, never raised as an error."""

from collections.abc import Iterable
from dataclasses import replace

from brt_cg.immutable import immutable
from brt_cg.questions import raise_problems
from brt_cg.text import halves_text


@immutable
class Breach:
    """One limit that a purchase breaks.

    `code` is stable ("beach-maximum"), `rule` the number of the rule, `message` a plain sentence
    with the limit and the numbers, `records` the ids of the purchases concerned.
    """

    code: str
    rule: str
    message: str
    records: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.message} ({self.rule})"


def merge_breaches(breaches: Iterable[Breach]) -> list[Breach]:
    """Merge breaches with the same message into one that names all their purchases."""
    found: dict[tuple[str, str, str], Breach] = {}
    for breach in breaches:
        key = (breach.code, breach.rule, breach.message)
        known = found.get(key)
        more = [id for id in breach.records if known is None or id not in known.records]
        found[key] = breach if known is None else replace(known, records=(*known.records, *more))
    return list(found.values())


def raise_breaches(breaches: Iterable[Breach]) -> None:
    """Raise RefusedError with every breach on a separate line, if there are any."""
    raise_problems(map(str, breaches))


def squad_equivalents_text(size: float) -> str:
    """Return squad-equivalents in words, with the unit: "2½ squad-equivalents", "½
    squad-equivalent"."""
    return f"{halves_text(size)} squad-equivalent{'s' if size > 1 else ''}"
