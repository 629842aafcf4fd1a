"""Values of counters that differ from the shipped catalog: from a player's own catalog, or read off
the counters. This is not an error, but of interest to the opponent."""

from collections.abc import Collection, Iterable, Iterator

from brt_cg.audit.finding import Finding
from brt_cg.card import FIGURES, differing_figures_text
from brt_cg.catalogue import differences_from_shipped, load_shipped_catalogue
from brt_cg.journal.entries import Entry
from brt_cg.model import Campaign, Side, only_side_allowed_to_read
from brt_cg.questions import RefusedError


def non_shipped_figure_notices(
    campaign: Campaign, only: Collection[str] | None = None
) -> Iterator[Finding]:
    """Return a notice for each type of weapon or vehicle whose values differ from the shipped ones.
    With `only`, consider only the counters with these ids."""
    alike: dict[tuple[str, str, Side | None], list[str]] = {}
    try:
        shipped = load_shipped_catalogue()
        for counter in (*campaign.weapons.values(), *campaign.vehicles.values()):
            words = differing_figures_text(differences_from_shipped(counter, shipped))
            if words and (only is None or counter.id in only):
                whose = only_side_allowed_to_read(campaign, counter)
                alike.setdefault((counter.type, words, whose), []).append(counter.id)
    except RefusedError:  # an unreadable catalog cannot be compared
        return
    for (type_, words, whose), ids in alike.items():
        what = f"{type_} differs from brt-cg's own catalog: {words}"
        yield Finding("figures", "printed", what, tuple(sorted(ids)), whose, notice=True)


def ids_with_added_or_changed_figures(entries: Iterable[Entry]) -> set[str]:
    """Return the ids of the weapons and vehicles that entries add, or whose values they change."""
    return {
        id
        for entry in entries
        for table, id, name, _, new in entry.changes
        if table in FIGURES and new is not None and (name == "" or name in FIGURES[table])
    }
