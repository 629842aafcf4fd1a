"""A whole Refit Phase with purchases and setup between two homes, at the command line."""

import re
import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from brt_cg.model.counters import Side
from brt_cg.model.records import Phase
from brt_cg.purchases.totals import purchases_not_voided
from brt_cg.service import demo
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from tests.cli.shell import Got, Shell
from tests.homes import set_state_home

ANSWERS = {"15.616": "no", "15.6201": "none", "15.6202": "none"}
SETUPS = ("15.6201", "15.6202")


@dataclass
class Home:
    """A player at his own machine."""

    side: Side
    folder: Path
    brt: Shell
    patch: pytest.MonkeyPatch

    @property
    def file(self) -> Path:
        return self.folder / "c.brt"

    def does(self, verb: str, *words: object, may_wait: bool = False) -> Got:
        """Enters a command from his seat."""
        set_state_home(self.patch, self.folder / "state")
        got = self.brt(verb, self.file, *words, "--side", self.side)
        assert got.code == 0 or (may_wait and got.code == 3), got.err
        return got

    def plays(self, seed: str) -> bool:
        """Rolls and decides until the other side must; whether the phase is over."""
        return self.does("refit", "--auto", "--seed", seed, may_wait=True).code == 0

    def mails(self, other: "Home", *how: str) -> Got:
        path = self.folder / "new.brtmail"
        sent = self.does("send", "-o", path, "--force", *how)
        other.does("receive", path)
        return sent


@pytest.fixture
def homes(brt: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Home, Home]:
    """The Marine player, who has the demo, and the Japanese player, who has nothing yet."""
    marine, japanese = (Home(side, tmp_path / side, brt, monkeypatch) for side in Side)
    if marine.side is not Side.MARINE:
        marine, japanese = japanese, marine
    marine.folder.mkdir()
    japanese.folder.mkdir()
    shutil.move(str(demo.create_demo(tmp_path)), marine.file)
    return marine, japanese


def test_a_refit_phase_with_purchases_and_setup_takes_four_mails(
    homes: tuple[Home, Home],
) -> None:
    marine, japanese = homes
    marine.does("buy", "san_increase", "--ahead")
    marine.does("buy", "foxhole_1s", "--location", "N19", "--ahead")
    told = marine.does("buy", "foxhole_2s", "--qty", "30", "--ahead")
    assert "item 3 on the shopping list: 30 × 2S Foxhole, 60 FPP is not bought: " in told.err
    marine.does("ahead", "--defaults")
    assert not marine.plays("x")
    marine.mails(japanese, "--all")

    japanese.does("buy", "foxhole_1s", "--beach", "red_three", "--ahead")
    japanese.does("buy", "concealment", "--beach", "red_three", "--qty", "2", "--ahead")
    japanese.does("ahead", "--defaults", "--answer", "15.616 japanese=no")
    assert not japanese.plays("x")
    letter = japanese.mails(marine).out
    assert "(Or: brt-cg ahead YOUR-FILE.brt --side marine --defaults)" in letter
    assert "\nthe Marines buy 1 × 1S Foxhole, 1 FPP\n" in letter
    assert letter.index("What happened") < letter.index("press M, then r")

    sets_up = ("--answer", "15.6201 marine=none", "--answer", "15.6202 marine=m-sq-8 N19")
    assert "open" not in marine.does("ahead", *sets_up).err
    assert not marine.plays("y")
    marine.mails(japanese)

    sets_up = ("--answer", "15.6201 japanese=none", "--answer", "15.6202 japanese=j-sq-10 B52")
    japanese.does("ahead", *sets_up)
    japanese.mails(marine)

    campaign = unrestricted_campaign(OpenCampaign.open_read_only(marine.file)).campaign
    assert (
        unrestricted_campaign(OpenCampaign.open_read_only(marine.file)).head
        == unrestricted_campaign(OpenCampaign.open_read_only(japanese.file)).head
    )
    assert campaign.situation.phase is Phase.SCENARIO
    bought = {each.id: each.item for each in purchases_not_voided(campaign)}
    assert bought == {
        **{"pj1": "foxhole_1s", "pj2": "concealment"},
        **{"pm1": "san_increase", "pm2": "foxhole_1s"},
    }
    assert campaign.fortifications["pm2-1"].location == "N19"
    assert campaign.units["m-sq-8"].location == "N19"
    assert campaign.units["j-sq-10"].location == "B52"
    for home in homes:
        home.does("audit")


def follow_offers(home: Home, text: str, sets_up: bool) -> None:
    """Enters what a text offers to answer early, and buys two items where it offers that."""
    offer = re.search(r"brt-cg (ahead) \S+ --side (\w+) (--defaults)", " ".join(text.split()))
    assert offer is not None
    assert offer[2] == home.side
    offered = home.does(offer[1], offer[3]).err
    for line in re.findall("to answer early: brt-cg (.*)", offered):
        words = shlex.split(line)
        rule, _, _ = words[-1].partition(" ")
        if "ITEM" in words:
            item = ["foxhole_1s" if word == "ITEM" else word for word in words]
            more = ["--beach", "red_three"] if home.side is Side.JAPANESE else []
            for _ in range(2):
                assert home.brt(*item, *more).code == 0
        elif sets_up or rule not in SETUPS:
            words[-1] = words[-1].replace("=ANSWER", f"={ANSWERS[rule]}")
            assert home.brt(*words).code == 0


def is_at_scenario(home: Home) -> bool:
    desk = OpenCampaign.open_read_only(home.file)
    return unrestricted_campaign(desk).campaign.situation.phase is Phase.SCENARIO


def test_following_the_texts_of_the_mails_takes_four_mails_per_phase(
    homes: tuple[Home, Home],
) -> None:
    """It took 8 with --always 15.6, and 26 without, for players who bought two items each. Here
    they set up once they know what both have bought."""
    at_work, other = homes
    text, mails, is_over = at_work.does("send", "-o", at_work.folder / "try.brtmail").err, 0, False
    while not is_over:
        follow_offers(at_work, text, sets_up=mails > 1)
        is_over = is_at_scenario(at_work) or at_work.plays("x")
        text = at_work.mails(other, *([] if mails else ["--all"])).out
        at_work, other, mails = other, at_work, mails + 1
        assert mails <= 4
    campaigns = [
        unrestricted_campaign(OpenCampaign.open_read_only(home.file)).campaign for home in homes
    ]
    assert campaigns[0] == campaigns[1]
    assert campaigns[0].situation.phase is Phase.SCENARIO
    bought = [each.side for each in purchases_not_voided(campaigns[0])]
    assert [bought.count(side) for side in Side] == [2, 2]


def test_the_shopping_list_is_shown_stored_and_withdrawn(homes: tuple[Home, Home]) -> None:
    marine, _ = homes
    marine.does("buy", "san_increase", "--ahead")
    marine.does("ahead", "--always", "15.605")
    told = marine.does("ahead")
    assert "15.614 shopping list, 1: 1 × SAN increase, 8 FPP" in told.out
    assert "  always: " in told.out
    left = marine.does("ahead", "--except", "15.614", "--except", "15.605")
    assert "shopping list" not in left.out.split("default:", 1)[1]
    assert "  always: " not in left.out
    assert ", 15.614, " in left.err


def test_defaults_leave_purchases_setup_and_excepted_questions_open(
    homes: tuple[Home, Home],
) -> None:
    marine, japanese = homes
    marine.mails(japanese, "--all")
    got = japanese.does("ahead", "--defaults", "--except", "15.6139")
    open_line = got.err.splitlines()[-1]
    asked = "open, so your side will be asked: 15.6139, 15.614, 15.616, 15.6201, 15.6202"
    assert open_line == asked
    assert asked in japanese.mails(marine).err


def test_standing_answers_leave_excepted_questions_open(
    homes: tuple[Home, Home],
) -> None:
    marine, _ = homes
    left = marine.does("ahead", "--always", "15.6", "--except", "15.605").err
    assert "asked: 15.605 (11), 15.614, 15.6201, 15.6202; open for both" in left
    assert "open, so your side will be asked: 15.614, 15.6201, 15.6202; open for both" in (
        marine.does("ahead", "--always", "15.6").err
    )


def test_an_unknown_purchase_exception_or_kind_is_refused(
    homes: tuple[Home, Home],
) -> None:
    marine, _ = homes
    refused = marine.brt("buy", marine.file, "wires", "--side", "marine", "--ahead")
    assert (refused.code, "there is no item 'wires'" in refused.err) == (2, True)
    refused = marine.brt("ahead", marine.file, "--side", "marine", "--except", "15.9")
    assert (refused.code, '"15.9" is not accepted; enter ' in refused.err) == (2, True)
    refused = marine.brt("ahead", marine.file, "--side", "marine", "--always", "15.9")
    assert (refused.code, "15.9" in refused.err) == (2, True)
