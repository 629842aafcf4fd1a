"""15.606: Encirclement ends."""

from brt_cg.refit.s606_encirclement_removal import remove_encirclement
from tests.refit.table import campaign, japanese_squad, marine_squad, play, vehicle


def test_every_encircled_marker_is_removed() -> None:
    counters = (
        marine_squad("m1", "N21", status="encircled low_ammo"),
        japanese_squad("j1", "N30", status="encircled prisoner"),
        vehicle("t1", "N22", status="encircled immobilized"),
    )
    result = play(remove_encirclement, campaign(*counters))
    assert result.unit("m1").status == ("low_ammo",)
    assert result.unit("j1").status == ("prisoner",)
    assert result.vehicle("t1").status == ("immobilized",)
    assert result.said[0] == "7-6-8 squad m1 (N21) is no longer Encircled"


def test_nothing_is_logged_without_encircled_units() -> None:
    result = play(remove_encirclement, campaign(marine_squad("m1", "N21")))
    assert (result.asks, result.said) == ([], [])


def test_units_out_of_play_keep_their_encircled_marker() -> None:
    dead = marine_squad("m1", "N21", status="encircled", fate="eliminated")
    assert play(remove_encirclement, campaign(dead)).unit("m1").has_status("encircled")
