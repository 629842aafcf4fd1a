"""The text that goes with a mail names sides and counters, and no numbers of the program."""

from pathlib import Path

from brt_cg.model.counters import Side
from brt_cg.service.mail_letter import cover_letter
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from tests.web.serving import played_to


def letter_of(desk: OpenCampaign) -> str:
    return " ".join(cover_letter(desk.shared_view(), Side.JAPANESE, "new.brtmail", None).split())


def test_a_purchase_in_a_letter_names_its_side(demo_file: Path) -> None:
    played_to(demo_file, "15.614")
    desk = OpenCampaign.open(demo_file)
    desk.run_command("buy", {"side": "marine", "item": "foxhole_1s", "quantity": 1}, "marine")
    assert "the Marines buy 1 × " in letter_of(desk)
    desk.run_command("void", {"purchase": "pm1", "reason": "too far"}, "marine")
    assert "the Marines void a purchase (1 × " in letter_of(desk)
    assert "pm1" not in letter_of(desk)
    desk.close()


def test_an_undone_entry_is_named_in_a_letter_without_an_id(demo_file: Path) -> None:
    """A letter said "undone: 15.6134 Captured equipment, m-dc-2"."""
    desk = OpenCampaign.open(demo_file)
    charge = next(
        each for each in unrestricted_campaign(desk).campaign.weapons.values() if each.in_play
    )
    desk.run_command("note", {"words": f"about {charge.id}", "side": None, "about": charge.id})
    desk.undo_or_request()
    assert charge.id not in letter_of(desk)
    assert charge.label in letter_of(desk)
    desk.close()
