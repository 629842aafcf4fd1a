"""15.6138: Low Ammo goes."""

from typing import Any

import pytest

from brt_cg.refit.s613_equipment import remove_low_ammo
from tests.refit.table import (
    JAPANESE,
    campaign,
    japanese_squad,
    marine_squad,
    play,
    vehicle,
)

AREAS = {"M1": "N20-N24", "J1": "N25-N45"}
LOW: dict[str, Any] = {"status": "low_ammo"}


@pytest.mark.parametrize(
    "unit",
    [
        marine_squad("x", None, setup_area="M1", **LOW),
        japanese_squad("x", None, setup_area="J1", **LOW),
        vehicle("x", None, setup_area="M1", **LOW),
        vehicle("x", "Q18", status="low_ammo mired"),
        marine_squad("x", "off_map", **LOW),
    ],
)
def test_low_ammo_is_removed_from_each_unit_and_vehicle(unit: Any) -> None:
    result = play(remove_low_ammo, campaign(unit.clone(), areas=AREAS))
    assert not result.piece("x").has_status("low_ammo")
    assert "no longer has Low Ammo" in result.log


@pytest.mark.parametrize(
    "unit",
    [
        marine_squad("x", "N30", isolated=True, recorded_location="N30", **LOW),
        vehicle("x", "N23", "Type 95 HA-GO", JAPANESE, isolated=True, **LOW),
    ],
)
def test_isolated_units_stay_low_on_ammo(unit: Any) -> None:
    result = play(remove_low_ammo, campaign(unit.clone(), areas=AREAS))
    assert result.piece("x").has_status("low_ammo")
    assert result.said == []
