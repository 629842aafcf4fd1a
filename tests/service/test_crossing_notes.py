"""Two mails that cross, each with entries that can be anywhere: both homes get one journal."""

import pytest

from brt_cg.audit import audit_campaign
from tests.service.test_mail import Player, _homes, answers, laid_out, players

__all__ = ["_homes", "laid_out", "players"]  # fixtures


def cross(players: tuple[Player, Player], one: str, other: str) -> None:
    """Both write a note and send it before they receive the other's."""
    marine, japanese = players
    marine.notes(one)
    japanese.notes(other)
    mails = marine.sends(), japanese.sends()
    japanese.receives(mails[0])
    marine.receives(mails[1])


@pytest.mark.parametrize("first", [0, 1])
def test_the_next_mail_after_crossed_notes_makes_both_campaigns_equal(
    players: tuple[Player, Player], first: int
) -> None:
    """Both refused all later mails, until one was made with --all."""
    cross(players, "of the Marine", "of the Japanese")
    cross(players, "2nd of the Marine", "2nd of the Japanese")
    sender, receiver = players[first], players[1 - first]
    sender.notes("the next")
    receiver.receives(sender.sends())
    assert players[0].words() == players[1].words()
    assert sorted(players[0].words()) == sorted(
        ["of the Marine", "of the Japanese", "2nd of the Marine", "2nd of the Japanese", "the next"]
    )
    assert players[0].head == players[1].head
    japanese = players[1]
    japanese.does(answers("stay_hidden"))
    players[0].receives(japanese.sends())
    assert players[0].head == japanese.head
    assert all(audit_campaign(player.file).ok for player in players)


def test_crossed_notes_have_one_order_and_one_checksum(
    players: tuple[Player, Player],
) -> None:
    cross(players, "of the Marine", "of the Japanese")
    assert players[0].words() == players[1].words()
    assert players[0].head == players[1].head
