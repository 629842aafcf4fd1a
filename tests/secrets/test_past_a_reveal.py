"""What is revealed tells nothing of what still hides: pairs of campaigns are played past a reveal,
with ids chosen to collide by the numbers that older campaigns give."""

from typing import Any
from zlib import crc32

import pytest

from brt_cg.journal.journal import Journal
from brt_cg.model.counter_numbers import END_OF_HIDDEN, FIRST_OF_HIDDEN, OF_HIDDEN
from brt_cg.model.counters import Unit, UnitKind
from brt_cg.model.seat import Seat
from tests.exports.journals import JAPANESE, MARINE, new, play, squad, state, take_in
from tests.secrets.campaigns import FOUND, HIDDEN_PILLBOXES, KEY
from tests.secrets.pairs import POINTS, SEEN, assert_alike

OTHER_KEY = "fedcba9876543210" * 2
TUNNEL = FOUND[1]
DOES_NOT, COLLIDES = HIDDEN_PILLBOXES


def pillbox(id: str, location: str) -> dict[str, Any]:
    return {"id": id, "side": "japanese", "type": "pillbox", "location": location, "hidden": True}


def with_hidden(pillbox_id: str, key: str | None = KEY) -> Journal:
    """A campaign in which a tunnel and a pillbox hide, the tunnel from another pillbox."""
    box = pillbox("j-pb-1", "K40")
    tunnel = {
        **{"id": TUNNEL, "side": "japanese", "type": "tunnel", "hidden": True},
        **{"location": "K40:j-pb-1", "exit": "K41"},
    }
    journal = new(allotments=POINTS, key=key)
    forts = [box, pillbox(pillbox_id, "L38"), tunnel]
    return take_in(journal, state(*SEEN, date="20 PM", fortifications=forts))


def reveal(journal: Journal, id: str, **fields: Any) -> None:
    journal.begin_invocation()
    journal.seat = Seat.from_name(JAPANESE)
    asked = {"id": id, "set": fields, "reason": "it was found"}
    journal.run_command("edit", asked, JAPANESE)
    journal.seat = None


@pytest.mark.parametrize("key", [KEY, OTHER_KEY])
def test_a_revealed_number_does_not_reveal_other_hidden_fortifications(key: str) -> None:
    one, other = (with_hidden(id, key) for id in (COLLIDES, DOES_NOT))
    for journal in (one, other):
        for box in ("j-pb-1", TUNNEL):
            reveal(journal, box, hidden=False)
    assert_alike(one, other, side=MARINE)
    assert one.campaign.side_hiding(one.campaign.fortifications[TUNNEL]) is None


def test_in_an_old_campaign_without_a_key_the_number_revealed_others() -> None:
    """So the pair above can fail; such a campaign keeps the numbers on its printed rosters."""
    one, other = (with_hidden(id, None) for id in (COLLIDES, DOES_NOT))
    numbers = [each.campaign.numbers[TUNNEL].number for each in (one, other)]
    assert numbers == [FIRST_OF_HIDDEN + (crc32(TUNNEL.encode()) + on) % OF_HIDDEN for on in (1, 0)]


def test_numbers_of_hidden_counters_are_unique_and_stable() -> None:
    forts = [pillbox(f"j-pb-{number}", "L38") for number in range(1, 41)]
    journal = take_in(new(key=KEY), state(*SEEN, fortifications=forts))
    numbers = {id: journal.campaign.numbers[id].number for id in journal.campaign.fortifications}
    assert len(set(numbers.values())) == 40
    assert all(FIRST_OF_HIDDEN <= number < END_OF_HIDDEN for number in numbers.values())
    again = Journal(journal.clock)
    again.load(list(journal.entries))
    assert {id: again.campaign.numbers[id].number for id in numbers} == numbers
    assert list(numbers.values()) != sorted(numbers.values())


def test_the_numbering_key_is_in_no_record_a_side_sees() -> None:
    one, other = with_hidden(COLLIDES, KEY), with_hidden(COLLIDES, OTHER_KEY)
    assert_alike(one, other, side=MARINE)
    assert one.head != other.head


# --- ids ------------------------------------------------------------------------------------------


def halves(journal: Journal) -> list[Unit]:
    units = journal.campaign.units.values()
    return [unit for unit in units if unit.kind is UnitKind.HALF_SQUAD and unit.in_play]


def test_a_half_squad_of_a_hidden_deployed_squad_does_not_name_it() -> None:
    journal = setup_with_a_hidden_squad(KEY)
    [born] = [unit for unit in halves(journal) if unit.id != "j-sq-1"]
    assert "sq-1" not in born.id
    assert born.id.startswith("j-hs-")
    assert journal.campaign.side_hiding(born) is JAPANESE


def test_a_half_squad_of_a_visible_squad_is_named_after_it() -> None:
    journal = setup_with_a_hidden_squad(KEY, status=[])
    assert "j-sq-1.2" in journal.campaign.units


def test_in_an_old_campaign_without_a_key_the_second_half_squad_keeps_its_id() -> None:
    assert "j-sq-1.2" in setup_with_a_hidden_squad(None).campaign.units


def setup_with_a_hidden_squad(key: str | None, status: Any = ("hidden",)) -> Journal:
    """A campaign between two steps of 15.620, where a squad of the Japanese Deploys."""
    hides = squad("j-sq-1", "L38", status=list(status))
    journal = take_in(new(key=key), state(*SEEN, hides, date="20 PM"))
    play(journal, to="15.614 japanese")
    journal.begin_invocation()
    journal.run_command("deploy", {"ids": ["j-sq-1"]}, JAPANESE)
    return journal


def test_a_japanese_purchase_does_not_reveal_earlier_purchases() -> None:
    """The ids of what is bought name no purchase: its number would tell of those before."""
    journal = new(allotments=POINTS, key=KEY)
    order = {"item": "foxhole_1s", "side": "japanese", "beach": "red_one"}
    for item in ("foxhole_1s", "foxhole_1s", "at_37l"):
        journal.run_command("buy", order | {"item": item}, JAPANESE)
    made = [id for bought in journal.campaign.purchases.values() for id in bought.created]
    assert len(made) == len(set(made)) == 4
    assert not [id for id in made if id.startswith("pj") or id[-2:] == "-1"]
    gun, crew = journal.campaign.purchases["pj3"].created
    assert gun not in crew


def test_marine_counters_are_named_after_their_purchase() -> None:
    journal = new(allotments=POINTS, key=KEY)
    journal.run_command("buy", {"item": "foxhole_1s", "side": "marine"}, MARINE)
    assert [*journal.campaign.fortifications] == ["pm1-1"]
