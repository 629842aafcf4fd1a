"""What a purchase creates, and what goes with its voiding."""

from brt_cg.model.counters import Fate, Side, UnitClass, UnitKind, WeaponKind
from brt_cg.model.visibility import visible_campaign
from brt_cg.refit.s620_setup import commence_scenario
from tests.purchases.shop import refit_shop, shop
from tests.refit.table import fort, japanese_squad, play

AREAS = {"J1": "N17-N21 L15-L25 M15-M25", "J2": "E3-E20"}


def test_a_gun_comes_with_its_crew() -> None:
    market = shop()
    market.buy("aa_type88_75", quantity=2)
    guns, crews = market.campaign.weapons, market.campaign.units
    assert market.campaign.purchases["pj17"].created == (
        *("pj17-1", "pj17-1-crew", "pj17-2", "pj17-2-crew"),
    )
    assert (guns["pj17-1"].type, guns["pj17-1"].kind) == ("Type 88 75 AA", WeaponKind.GUN)
    assert guns["pj17-2"].possessor == "pj17-2-crew"
    crew = crews["pj17-1-crew"]
    assert (crew.type, crew.kind, crew.class_) == ("2-2-8", UnitKind.CREW, UnitClass.ELITE)
    assert all(one.unseen and one.purchase == "pj17" for one in (guns["pj17-1"], crew))


def test_machine_guns_are_support_weapons() -> None:
    market = shop()
    market.buy("hmg")
    assert market.campaign.weapons["pj17-1"].kind is WeaponKind.SW


def test_before_the_first_scenario_a_gun_is_in_its_requested_location() -> None:
    market = shop()
    market.buy("hmg", location="L20")
    market.buy("hmg")
    assert market.campaign.weapons["pj17-1"].location == "L20"
    assert market.campaign.units["pj17-1-crew"].location == "L20"
    assert market.campaign.weapons["pj18-1"].location is None


def test_later_a_gun_is_retained_in_its_beachs_area_bound_to_its_location() -> None:
    market = refit_shop(areas=AREAS)
    market.buy("at_37l", location="L20")
    gun, crew = market.campaign.weapons["pj17-1"], market.campaign.units["pj17-1-crew"]
    assert (gun.setup_area, gun.location, gun.recorded_location) == ("J1", None, "L20")
    assert (crew.setup_area, crew.location, crew.recorded_location) == ("J1", None, None)


def test_a_bought_pillbox_has_its_capacity_and_tems() -> None:
    market = shop()
    market.buy("pillbox_1_4_6", capacity=3, location="M21", arc=["N20", "N21"])
    made = market.campaign.fortifications["pj17-1"]
    assert (made.capacity, made.ca_tem, made.nca_tem) == (3, 4, 6)
    assert (made.type, made.location, made.covered_arc) == ("pillbox_1_4_6", "M21", ("N20", "N21"))
    assert made.unseen
    assert not made.hidden


def test_a_three_squad_foxhole_can_be_bought() -> None:
    market = refit_shop()
    market.marine_buys("foxhole_3s", quantity=2)
    made = market.campaign.fortifications["pm17-2"]
    assert (made.capacity, made.side) == (3, Side.MARINE)
    assert made.unseen


def test_a_fortification_has_the_name_that_players_use() -> None:
    types = ("at_mine_factor", "tetrahedron_wire", "foxhole_2s", "pillbox_fpp_1_4_6")
    assert [fort("f", "N19", type).type_text for type in types] == [
        *("A-T mine factor", "tetrahedron with wire", "2S foxhole", "pillbox 1+4+6"),
    ]


def test_a_bought_tunnel_has_both_its_ends() -> None:
    market = shop()
    market.buy("tunnel", location="L20", exit="K20")
    made = market.campaign.fortifications["pj17-1"]
    assert (made.location, made.exit) == ("L20", "K20")


def test_inherently_hidden_purchases_stay_secret_after_setup() -> None:
    market = shop()
    market.buy("tetrahedron", location="O19")
    market.buy("at_mine_factor", location="O19")
    market.buy("tunnel", location="L20", exit="K20")
    market.buy("passage", location="L20", exit="L21")
    market.buy("fortified_building", location="L20")
    market.buy("wire", location="L20")
    play(commence_scenario, market.campaign)
    seen = visible_campaign(market.campaign, Side.MARINE).fortifications.values()
    assert {fort.type for fort in seen} == {"tetrahedron", "wire"}


def test_every_mine_factor_is_a_counter() -> None:
    market = shop()
    market.buy("tetrahedron")
    market.buy("at_mine_factor", quantity=3)
    assert [one for one in market.campaign.fortifications if one.startswith("pj18")] == [
        *("pj18-1", "pj18-2", "pj18-3"),
    ]


def test_ids_used_by_an_adopted_campaign_are_skipped() -> None:
    market = shop(japanese_squad("pj17-1", "L20"), japanese_squad("pj17-3-crew", "L20"))
    market.buy("hmg", quantity=2)
    assert market.campaign.purchases["pj17"].created == (
        *("pj17-2", "pj17-2-crew", "pj17-4", "pj17-4-crew"),
    )


def test_concealment_hip_and_san_make_no_counter() -> None:
    market = shop()
    for item in ("concealment", "hip_squad", "san_increase"):
        market.buy(item, None)
    assert list(market.campaign.counters()) == []


# --- voids ----------------------------------------------------------------------------------------


def test_a_voided_gun_is_removed_with_its_crew() -> None:
    market = refit_shop(areas=AREAS)
    bought = market.buy("at_37l", location="L20")
    market.void(bought)
    gun, crew = market.campaign.weapons["pj17-1"], market.campaign.units["pj17-1-crew"]
    for piece in (gun, crew):
        assert piece.fate is Fate.ELIMINATED
        assert (piece.location, piece.setup_area, piece.recorded_location) == (None, None, None)
    assert gun.possessor is None


def test_a_void_does_not_bring_back_counters_lost_in_play() -> None:
    market = refit_shop(areas=AREAS)
    bought = market.buy("at_37l", quantity=3)
    guns, crews = market.campaign.weapons, market.campaign.units
    crews["pj17-1-crew"].fate = Fate.CAPTURED
    guns["pj17-2"].side = Side.MARINE
    crews["pj17-3-crew"].status = ("prisoner",)
    command = market.do("void", purchase=bought, reason="wrong beach")
    guns, crews = market.campaign.weapons, market.campaign.units
    assert crews["pj17-1-crew"].fate is Fate.CAPTURED
    assert guns["pj17-2"].in_play
    assert crews["pj17-3-crew"].in_play
    assert guns["pj17-1"].fate is Fate.ELIMINATED
    lost = [one.about for one in command.said if "lost in play" in one.text]
    assert lost == [("pj17-1-crew",), ("pj17-2",), ("pj17-3-crew",)]


def test_a_voided_san_increase_lowers_the_san_again() -> None:
    market = refit_shop()
    market.void(market.buy("san_increase", None))
    assert market.campaign.sides["japanese"].san == 4
    market.buy("san_increase", None)


def test_units_in_a_voided_pillbox_go_to_its_hex() -> None:
    market = shop()
    bought = market.buy("pillbox_1_3_5", location="M21", arc=["N20", "N21"])
    market.campaign.add(japanese_squad("j1", f"M21:{bought}-1"))
    market.void(bought)
    assert market.campaign.units["j1"].location == "M21"


def test_a_tetrahedron_needed_by_bought_mines_is_not_voided() -> None:
    market = shop()
    first = market.buy("tetrahedron")
    mines = market.buy("at_mine_factor")
    refusal = market.refusal("void", purchase=first, reason="too dear")
    assert refusal == (
        "A-T mine factor: pj18 would have no tetrahedron left in Red One; void it first (15.6143)"
    )
    market.void(mines)
    market.void(first)


def test_a_tetrahedron_needed_by_placed_mines_is_not_voided() -> None:
    market = shop()
    first = market.buy("tetrahedron", location="O21")
    other = market.buy("tetrahedron", location="O19")
    market.buy("at_mine_factor", location="O21")
    refusal = market.refusal("void", purchase=first, reason="too dear")
    assert "pj19-1: A-T mine factor in O21: there is no tetrahedron of Red One there" in refusal
    market.void(other)


def test_a_voided_san_increase_is_logged() -> None:
    market = refit_shop()
    bought = market.buy("san_increase", None)
    said = market.do("void", purchase=bought, reason="a slip").said
    assert [(one.text, one.secret) for one in said][-1] == ("Japanese SAN is now 4", Side.JAPANESE)


def test_a_reason_is_one_line_of_text() -> None:
    market = shop()
    bought = market.buy("hmg")
    for reason in ("two\nlines", "\x1b[31m", 3):
        refusal = market.refusal("void", purchase=bought, reason=reason)
        assert refusal.startswith("a void needs a reason: ")
