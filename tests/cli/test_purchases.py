"""Purchases of 15.614 through the command line."""

import re
from pathlib import Path

import pytest

from brt_cg.cli import console
from tests.cli.shell import Shell, state, unit, written

ALLOTMENTS = """
[japanese.red_one]
gpp = 9
capp = "9^1"
fpp = 60
[japanese.island]
fpp = 40
[marine]
fpp = 10
"""


@pytest.fixture
def shop(brt: Shell, tmp_path: Path) -> Path:
    """A new campaign with points to spend."""
    (tmp_path / "points.toml").write_text(ALLOTMENTS)
    named = ("--name", "Helen", "--allotments", "points.toml")
    assert brt("new", "shop.brt", "--cg", "III", *named).code == 0
    return tmp_path / "shop.brt"


def buy(brt: Shell, shop: Path, item: str, *words: object) -> str:
    """Buys for the Japanese, for Red Beach One."""
    got = brt("buy", shop, item, "--side", "japanese", "--beach", "red_one", *words)
    assert got.code == 0, got.err
    return got.out


def test_purchases_and_remaining_points_are_listed(brt: Shell, shop: Path) -> None:
    assert "4 GPP" in buy(brt, shop, "hmg")
    assert "M22" in buy(
        brt, shop, "pillbox_1_4_6", "--location", "M22", "--arc", "N21,N22", "--capacity", 2
    )
    buy(brt, shop, "wire", "--qty", 2)
    listed = brt("purchases", shop, "--side", "japanese")
    assert listed.code == 0
    for words in ("pj1", "HMG", "Pillbox 1+4+6", "Wire"):
        assert words in listed.out
    assert brt("purchases", shop, "--side", "marine").out.count("pj1") == 0
    status = brt("status", shop, "--json").json
    assert status["name"] == "Helen"


def test_a_purchase_over_the_allotment_is_refused_with_the_numbers(brt: Shell, shop: Path) -> None:
    buy(brt, shop, "hmg", "--qty", 2)
    before = shop.read_bytes()
    got = brt("buy", shop, "hmg", "--side", "japanese", "--beach", "red_one")
    assert got.code == 2
    assert "15.6141" in got.err
    assert "GPP" in got.err
    assert shop.read_bytes() == before


@pytest.mark.parametrize(
    "words",
    [
        ("tank", "--side", "japanese"),
        ("hmg", "--side", "marine"),
        ("hmg", "--side", "japanese", "--beach", "omaha"),
        ("hmg", "--side", "japanese", "--beach", "red_one", "--qty", "0"),
        ("hmg", "--side", "japanese", "--beach", "red_one", "--qty", "many"),
        ("pillbox_1_4_6", "--side", "japanese", "--beach", "red_one", "--arc", "N21,N40"),
        ("tunnel", "--side", "japanese", "--location", "M24", "--exit", "ZZ9"),
    ],
)
def test_an_item_that_cannot_be_bought_is_refused(
    brt: Shell, shop: Path, words: tuple[str, ...]
) -> None:
    before = shop.read_bytes()
    got = brt("buy", shop, *words)
    assert (got.code, got.out) == (2, "")
    assert got.err
    assert shop.read_bytes() == before


def test_a_void_returns_the_points(brt: Shell, shop: Path) -> None:
    buy(brt, shop, "hmg", "--qty", 2)
    got = brt("void", shop, "pj1", "--reason", "too many")
    assert got.code == 0
    assert "8 GPP" in got.out
    assert "4 GPP" in buy(brt, shop, "hmg")
    again = brt("void", shop, "pj1", "--reason", "too many")
    assert again.code == 2
    assert brt("audit", shop).code == 0


def test_drafts_are_bought_together_or_dropped(brt: Shell, shop: Path) -> None:
    buy(brt, shop, "hmg", "--draft")
    buy(brt, shop, "wire", "--draft")
    assert brt("draft", shop, "commit", "--side", "japanese").code == 0
    buy(brt, shop, "wire", "--draft")
    assert brt("draft", shop, "discard").code == 0
    listed = brt("purchases", shop).out
    assert "HMG" in listed
    assert brt("export", shop, "state").json["fortifications"] != []
    assert brt("undo", shop, "--command").code == 0
    assert brt("audit", shop).code == 0


def test_a_draft_is_changed(brt: Shell, shop: Path) -> None:
    buy(brt, shop, "hmg", "--draft")
    buy(brt, shop, "wire", "--qty", 2, "--draft", "--instead", "dj1")
    listed = brt("purchases", shop).out
    assert "HMG" not in listed
    buy(brt, shop, "wire", "--instead", "dj2")
    assert "draft" not in brt("purchases", shop).out.lower()
    got = brt("buy", shop, "wire", "--side", "japanese", "--instead", "dj2")
    assert got.code == 2
    assert "dj2 is not a draft of the Japanese player" in got.err
    assert brt("undo", shop).code == 0
    assert "draft" in brt("purchases", shop).out.lower()
    assert brt("audit", shop).code == 0


def test_points_can_be_allotted_later(brt: Shell, shop: Path) -> None:
    red_two = ("--side", "japanese", "--beach", "red_two")
    got = brt("allot", shop, *red_two, "--gpp", 8, "--capp", "13^5", "--fpp", 4)
    assert got.code == 0
    assert brt("allot", shop, *red_two, "--exponent", 6).code == 0
    assert "CAPP Exponent: 6 allotted" in brt("purchases", shop).out
    assert brt("buy", shop, "hmg", *red_two).code == 0
    granted = brt("allot", shop, "--side", "marine", "--fpp", 5, "--date", "20 PM")
    assert granted.code == 0
    refused = brt("allot", shop, *red_two, "--capp", "13^^5")
    assert refused.code == 2
    assert "26^2" in refused.err


def test_a_state_is_imported_one_side_at_a_time_without_asking(
    brt: Shell, shop: Path, tmp_path: Path
) -> None:
    whole = written(tmp_path / "whole.json", state())
    assert brt("import", shop, whole, "--side", "marine", "--yes").code == 0
    sides = {one["side"] for one in brt("export", shop, "state").json["units"]}
    assert sides == {"marine"}
    assert brt("import", shop, whole, "--side", "japanese", "--yes").code == 0
    assert len(brt("export", shop, "state").json["units"]) == len(state()["units"])


def test_hidden_reinforcements_are_only_in_their_own_roster(
    brt: Shell, shop: Path, tmp_path: Path
) -> None:
    squad = unit("j-sq-9", "japanese", "squad", "N24", **{"class": "elite"}, status=["hidden"])
    arrivals = {"format": "brt-cg/state", "version": 1, "units": [squad]}
    assert brt("reinforce", shop, written(tmp_path / "more.json", arrivals)).code == 0
    brt("refit", shop, "--auto")
    own = brt("export", shop, "roster", "--side", "japanese").out
    [called] = re.findall(r"4-4-8 no\. \d+(?=, elite, hidden)", own)
    assert called not in brt("export", shop, "roster", "--side", "marine").out
    explained = brt("explain", shop, called, "--side", "japanese")
    assert explained.code == 0
    assert "Reinforcements" in explained.out


def test_items_and_beaches_are_written_as_players_write_them(brt: Shell, shop: Path) -> None:
    got = brt("buy", shop, "HMG", "--side", "japanese", "--beach", "Red-One")
    assert "1 × HMG for Red One" in got.out
    arc = ("--location", "M22", "--arc", "N21, N22")
    assert (
        brt("buy", shop, "pillbox-1-3-5", "--side", "japanese", "--beach", "red one", *arc).code
        == 0
    )


def test_an_invalid_number_is_refused_with_all_other_problems(brt: Shell, shop: Path) -> None:
    got = brt("buy", shop, "hmgs", "--side", "navy", "--qty", "two", "--capacity", "x")
    assert got.code == 2
    for words in (
        "navy",
        "did you mean hmg?",
        '--qty: "two" is not accepted',
        '--capacity: "x" is not accepted',
    ):
        assert words in got.err


def test_the_price_list_shows_limits_and_purchases(brt: Shell, shop: Path) -> None:
    buy(brt, shop, "hmg")
    listed = brt("purchases", shop, "--prices").out
    limits = "at most 4 per beach · at most 16 in CG III"
    assert f" 4  HMG · with a crew · {limits} · 1 bought" in listed
    assert "tetrahedron_wire" in listed
    assert (
        '"?" · both sides · for the Marines only in a Refit Phase before an AM or Night date'
        in listed
    )
    assert "3S Foxhole · both sides · also in an Isolated Location\n" in listed
    assert "1 per side before the first scenario, and in each Refit Phase" in listed
    marine = brt("purchases", shop, "--prices", "--side", "marine").out
    assert "hmg" not in marine
    assert "foxhole_1s" in marine


def test_on_a_terminal_long_lines_are_wrapped_and_indented(
    brt: Shell, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    piped = brt("purchases", shop, "--prices").out
    monkeypatch.setattr(console, "is_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    folded = brt("purchases", shop, "--prices").out
    assert max(map(len, piped.splitlines())) > 100
    assert max(map(len, folded.splitlines())) <= 80
    assert "\n      " in folded
    assert folded.split() == piped.split()


def test_a_draft_is_listed_with_its_beach_and_the_remaining_points(brt: Shell, shop: Path) -> None:
    buy(brt, shop, "hmg", "--qty", 3, "--draft")
    listed = brt("purchases", shop).out
    assert "3 × HMG: 12 GPP for Red One" in listed
    assert "after buying it, Japanese, Red One: GPP: 9 allotted − 12 spent = −3 left" in listed


def test_without_drafts_there_is_nothing_to_commit(brt: Shell, shop: Path) -> None:
    got = brt("draft", shop, "commit")
    assert (got.code, got.err) == (2, "there are no drafts\n")


def test_future_grants_are_listed_for_their_side(brt: Shell, shop: Path) -> None:
    brt("allot", shop, "--side", "japanese", "--beach", "green", "--date", "20 PM", "--gpp", 4)
    assert "Japanese, Green, on 20 PM: 4 GPP to come" in brt("purchases", shop).out
    assert "20 PM" not in brt("purchases", shop, "--side", "marine").out


def test_the_records_show_exit_covered_arc_and_capacity(brt: Shell, shop: Path) -> None:
    arc = ("--location", "M22", "--arc", "N21,N22", "--capacity", 2)
    buy(brt, shop, "pillbox_1_3_5", *arc)
    buy(brt, shop, "tunnel", "--location", "L20", "--exit", "K20")
    brt("void", shop, "pj2", "--reason", "a slip")
    written = brt("export", shop, "records").out
    assert "| M22      | Covered Arc N21, N22, capacity 2" in written
    assert "| L20      | exit K20, voided by vj3" in written
