"""Whatever is typed after `brt-cg aid`: an answer, or one message that says what is allowed."""

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from brt_cg.aids.fight_file import begin_fight, save_fight
from brt_cg.aids.fight_orders import ORDERS
from brt_cg.aids.japanese import read_japanese_rolls, read_vocabulary
from brt_cg.aids.line import AidPlayer, OutOfDiceError, answer_line, parse_line
from brt_cg.aids.options import AID_NAMES, EXAMPLES
from brt_cg.aids.sources import aid_rulings
from brt_cg.questions.answers import RefusedError
from brt_cg.resources import game_data_folder
from tests.settings import count

SOURCES = Path(answer_line.__code__.co_filename).parent


def soup() -> list[str]:
    """Words that mean something somewhere, and some that mean nothing anywhere."""
    spoken = (
        word
        for values in read_vocabulary().words.values()
        for words in values.values()
        for phrase in words
        for word in phrase.split()
    )
    odd = ("", " ", ",", "=", "x=", "=1", "-1", "--", "9-9-9", "3-4-7", "10-2", "ml=8", "é", "1e9")
    pieces = ("m-rifle-1", "j-tank-1", "j-gun-1,side", "range=6", "range=x", "m-rifle-1,", "1/0")
    rolls = (
        *read_japanese_rolls().tables,
        *read_japanese_rolls().checks,
        "year=1944",
        "23",
        "hip_day",
    )
    costs = (share.item for share in read_japanese_rolls().costs)
    return [*spoken, *odd, *pieces, *rolls, *costs, *ORDERS, "side", "cover", "weapon=grenade"]


def lines(seed: int, fight: Path) -> Iterator[list[str]]:
    random, words = Random(seed), soup()
    for _ in range(count(1500, 60000)):
        aid = random.choice(AID_NAMES)
        some = random.choices(words, k=random.randint(0, 6))
        head = [aid, random.choice(["do", "try"]), str(fight)] if aid == "fight" else [aid]
        if head[1:2] == ["try"]:
            head.pop()
        yield [*head, *some]


@pytest.mark.parametrize("line", ["4-4-7 1MC --elr 3 --dice 6,5", "4-4-7 1MC, ELR 3, dice 6,5"])
def test_elr_and_dice_are_given_as_options_or_in_words(line: str) -> None:
    found = answer_line(parse_line(["japanese", *line.split()]), AidPlayer())
    assert found.lines[0] == "DR 6,5 = 11, +1 1MC, Final DR 12: failed by more than the ELR of 3"


def test_no_line_of_words_ends_in_an_error(tmp_path: Path) -> None:
    fight = tmp_path / "a.fight"
    save_fight(
        fight, begin_fight(["marine:rifle", "japanese:tank", "japanese:gun"], "marine"), new=True
    )
    answered = 0
    for words in lines(1, fight):
        with suppress(RefusedError, OutOfDiceError):
            found = answer_line(parse_line(words), AidPlayer())
            json.dumps(found.plain)
            answered += 1
    assert answered > 20


ALONE = [line for line in EXAMPLES.splitlines() if "fight" not in line and "campaign" not in line]


@pytest.mark.parametrize("line", ALONE)
def test_every_example_of_the_help_is_answered(line: str) -> None:
    example = line.partition("brt-cg aid ")[2].split("   ")[0]
    if example:
        assert answer_line(parse_line(example.split()), AidPlayer()).lines


def test_every_ruling_is_asked_for_by_the_rules() -> None:
    read = "".join(path.read_text("utf-8") for path in SOURCES.glob("*.py"))
    data = (game_data_folder() / "aids" / "japanese.toml").read_text("utf-8")
    built = {"R-FIGHT-WOODS", "R-FIGHT-ROAD"}  # named by their ground
    unread = [id for id in aid_rulings() if id not in built and id not in read + data]
    assert unread == []
