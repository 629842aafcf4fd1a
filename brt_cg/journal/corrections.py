"""Corrections of a side's own secrets. The other side is not asked about them, and reads them once
what was corrected is shown."""

import re
from collections.abc import Iterable, Iterator, Sequence

from brt_cg.journal.changes import Change, apply, inverse
from brt_cg.journal.entries import Entry
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Counter, Side
from brt_cg.model.fields import Changed, schema_of
from brt_cg.model.visibility import telling_is_secret
from brt_cg.refit.log_line import LogLine

MARK = "corrected in secret: the {} side reads this once it is shown"
_WORD = re.compile(r"[\w.-]+")


def is_marked(entry: Entry) -> bool:
    """Whether an entry is a correction that a side made of its own secret."""
    payload = entry.payload
    return entry.kind == "edit" and entry.secret is not None and payload.get("seat") == entry.secret


def mark(secret: Side, id: str) -> LogLine:
    """The sentence that marks such a correction for its own side."""
    return LogLine(MARK.format(secret.enemy.label), (id,), secret)


def told_now(
    campaign: Campaign, changes: Sequence[Change], corrected: Iterable[tuple[str, Sequence[Entry]]]
) -> Iterator[LogLine]:
    """What both sides read of corrections, by the id of their counter, that these changes have
    brought to light."""
    before: Campaign | None = None
    for id, entries in corrected:
        counter = campaign.find(id)
        if counter is None or telling_is_secret(campaign, counter) is not None:
            continue
        if before is None:
            before = campaign.clone()
            apply(before, inverse(changes))
        was = before.find(id)
        if was is not None and telling_is_secret(before, was) is not None:
            yield from (_told(campaign, counter, entry) for entry in entries)


def _told(campaign: Campaign, counter: Counter, entry: Entry) -> LogLine:
    side, reason = entry.secret, entry.asked.get("reason")
    assert side is not None, "it was marked"
    changed = ", ".join(_changed(campaign, counter, entry.changes))
    text = f"{counter.named}: the {side.label} side corrected it in secret: {changed}"
    return LogLine(f"{text} ({reason})", (counter.id,))


def _changed(campaign: Campaign, counter: Counter, changes: Iterable[Change]) -> Iterator[str]:
    """The changes of a counter in words, without values that name something hidden."""
    fields = schema_of(type(counter)).by_attribute
    for _, id, name, old, new in changes:
        if id != counter.id or name not in fields:
            continue
        words = str(Changed(fields[name], old, new))
        yield fields[name].label if _names_a_secret(campaign, words) else words


def _names_a_secret(campaign: Campaign, words: str) -> bool:
    named = filter(None, map(campaign.find, _WORD.findall(words)))
    return any(telling_is_secret(campaign, counter) is not None for counter in named)
