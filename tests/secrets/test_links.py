"""Nothing that a side may see leads to what it may not."""

import pytest

from brt_cg.model.counters import Fate, Side
from brt_cg.model.visibility import visible_campaign
from tests.refit.table import JAPANESE, campaign, crew, japanese_half_squad, vehicle

HIDDEN = {"side": JAPANESE, "status": "hidden"}


@pytest.mark.parametrize("field", ["guard", "became"])
def test_the_enemys_view_has_no_link_to_a_hidden_counter(field: str) -> None:
    """15.6131a: a crew became the Inherent crew of a vehicle, which the enemy does not see."""
    tank = vehicle("t1", "N35", "Type 95 HA-GO", **HIDDEN)
    squad = japanese_half_squad("j1", "N35", status="hidden")
    known = {
        "guard": crew("x", "N36", status="prisoner", guard="j1"),
        "became": crew("x", None, JAPANESE, fate=Fate.CREWED, became="t1"),
    }[field]
    table = campaign(tank, squad, known)
    shown = visible_campaign(table, Side.MARINE)
    assert getattr(shown.find("x"), field) is None
    assert shown.find("t1") is None
    assert getattr(visible_campaign(table, JAPANESE).find("x"), field) == getattr(known, field)
