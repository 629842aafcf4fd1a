"""Two scenario-end reports that cross in the mail: each is entered again after the other."""

from typing import Any

from brt_cg.imports.scenario_end import ids_left_as_opponent_reported
from brt_cg.journal.entries import Entry
from brt_cg.journal.journal import Journal
from brt_cg.model import Side
from brt_cg.questions import RefusedError
from brt_cg.text import list_text
from brt_cg.views.rights import counters_contradicting_opponent
from brt_cg.views.sender import KEPT
from brt_cg.views.view import create_view


def input_for_reentry(journal: Journal, entry: Entry, common: int) -> dict[str, Any]:
    """Return the input for entering an entry again at the end of a journal; the entry was made
    after the first `common` ones. Facts that a side does not report itself stay as in its
    opponent's report."""
    asked: dict[str, Any] = {name: value for name, value in entry.asked.items() if name != KEPT}
    side = Side.from_name(asked.get("side")) if entry.kind == "import" else None
    if side is None or side.enemy not in journal.scenario_end_reports():
        return asked
    before = (
        create_view(journal_up_to(journal, common), side).for_scenario_end_report(side).campaign
    )
    kept = ids_left_as_opponent_reported(
        create_view(journal, side).for_scenario_end_report(side), asked, before
    )
    return asked | ({KEPT: kept} if kept else {})


def check_reports_agree(journal: Journal, kind: str, asked: dict[str, Any]) -> None:
    """Raise RefusedError for a side's report that contradicts its opponent's."""
    found = counters_contradicting_opponent(journal, asked) if kind == "import" else []
    if found:
        named = list_text(each.label for each in found)
        raise RefusedError(
            f"the two end-of-scenario reports contradict each other about {named}; agree "
            f"with your opponent which one is right, then undo the wrong one and enter it again"
        )


def journal_up_to(journal: Journal, last: int) -> Journal:
    """Return the first entries of a journal as a separate journal."""
    found = Journal(lambda: "")
    found.load(journal.entries[:last])
    return found
