"""Each refusal is one message: where, what was found, what is allowed, and one good guess."""

import shlex
from pathlib import Path

import pytest

from brt_cg.cli.parser import COMMANDS
from tests.cli.shell import Shell, state, written

# What a player types wrongly, and the whole of what he is told.
TYPED = {
    "export FILE rooster": (
        "there is no document 'rooster'; did you mean roster? (brt-cg export --help lists them)"
    ),
    "export FILE roster --format htm": (
        "roster has no format 'htm'; enter md, json, csv, html, xlsx, pdf; did you mean html?"
    ),
    "rulings FILE R-SHOK": (
        '"R-SHOK" is not a ruling of CG III; did you mean R-SHOCK? (brt-cg rulings FILE lists them)'
    ),
    "catalogue M4A9": "no type is called 'M4A9'; did you mean M4A2? (brt-cg catalogue lists them)",
    "catalogue edti HMG pp=4": 'there is no command catalogue "edti"; did you mean edit?',
    "note FILE ''": 'WORDS: "" is not accepted; enter at least one word',
    "buy FILE hmgg --side japanese --beach red_two": (
        "there is no item 'hmgg'; did you mean hmg? (brt-cg purchases FILE --prices lists them)"
    ),
    "buy FILE hmg --side japanese --beach red_two --qty 0": (
        "--qty: 0 is not accepted; enter a whole number from 1 to 9999"
    ),
    "explain FILE m-sq-999": "nothing is known about 'm-sq-999'; did you mean m-sq-1?",
    "reinforce new.brt '4 x 9-9-9' --side marine": (
        "line 1: 9-9-9: no Marine unit; enter 7-6-8, 3-4-8, 6-6-8, 5-5-8, 4-5-8, 2-3-8, 2-4-8, "
        "2-2-8, 1-2-6 (4 x 9-9-9)"
    ),
    "status FILE --sied marine": (
        "brt-cg status: there is no option --sied; enter --help, --json, --side, --accept; did "
        "you mean --side?; see brt-cg status --help"
    ),
    "status FILE marine": (
        'brt-cg status: "marine" is one word too many; '
        "put quotes around several words that belong together; "
        "see brt-cg status --help"
    ),
    "serve FILE --port 99999": (
        "brt-cg serve: --port: 99999 is not accepted; enter a whole number from 0 to 65535; see "
        "brt-cg serve --help"
    ),
}


@pytest.mark.parametrize("typed", TYPED)
def test_a_problem_is_reported_in_one_line(brt: Shell, file: Path, typed: str) -> None:
    brt("new", "new.brt", "--cg", "III")
    got = brt(*(file if word == "FILE" else word for word in shlex.split(typed)))
    assert (got.code, got.out, got.err) == (2, "", f"{TYPED[typed]}\n")


def test_a_state_without_sides_is_refused_with_their_fields(brt: Shell, tmp_path: Path) -> None:
    brt("new", "new.brt", "--cg", "III")
    without = {name: held for name, held in state().items() if name != "sides"}
    got = brt("import", "new.brt", written(tmp_path / "s.json", without), "--yes")
    wanted = "an object with marine, japanese, each with san, elr"
    also = "(`export FILE state` writes one)"
    assert got.err == f"s.json: sides: missing; enter {wanted} {also}\n"


def test_an_answer_not_offered_is_refused_with_names(brt: Shell, file: Path) -> None:
    brt("refit", file)
    asked = brt("status", file, "--json").json["asks"]
    got = brt("answer", file, "banana")
    assert (got.code, len(got.err.splitlines())) == (2, 1)
    assert got.err.startswith(f"{asked['rule']} {asked['subject']}: ")
    assert "enter " in got.err


def test_reinforce_accepts_the_same_lines_as_the_screen(brt: Shell) -> None:
    brt("new", "new.brt", "--cg", "III")
    got = brt("reinforce", "new.brt", "2 x 6-6-8", "9-1 Crowe", "--side", "marine")
    assert (got.code, got.err) == (0, "")
    assert got.out.count("added: 6-6-8 squad") == 2
    assert "9-1 Crowe" in got.out
    assert brt("reinforce", "new.brt", "missing.txt", "--side", "marine").code == 2


def test_a_ruling_can_be_shown_by_its_id(brt: Shell, file: Path) -> None:
    told = brt("rulings", file, "r-shock").out
    assert told.startswith("How do vehicles recover from Shock and Unconfirmed Kill?  (R-SHOCK")
    assert told.endswith("now: marker\n")


@pytest.mark.parametrize("missing", ["end.vsav", "20am.xlsx", "20am.json"])
def test_a_missing_file_is_reported_as_missing(brt: Shell, file: Path, missing: str) -> None:
    got = brt("import", file, missing, "--side", "both")
    assert (got.code, got.out) == (2, "")
    assert got.err.endswith(f"{missing}: there is no such file\n")


def test_a_command_in_the_wrong_phase_names_itself_and_what_to_do(
    brt: Shell, demo_file: Path
) -> None:
    assert brt("refit", demo_file, "--auto", "--seed", "7").code == 0
    got = brt("ahead", demo_file, "--side", "marine")
    assert (got.code, got.out) == (2, "")
    assert got.err == (
        "ahead is not possible during the scenario; you can now play the scenario, then report "
        "its end (`end` or `import`)\n"
    )


@pytest.mark.parametrize("name", COMMANDS)
def test_an_extra_argument_is_not_answered_with_the_usage(brt: Shell, name: str) -> None:
    got = brt(name, *["x.brt"] * 8, "--no-such-option")
    assert got.code == 2
    assert len(got.err.splitlines()) == 1, got.err
