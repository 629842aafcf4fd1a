"""What the command line says to one who does not know it by heart."""

from pathlib import Path

import pytest

from brt_cg.cli import screens
from brt_cg.cli.help import GROUPS, GUIDE
from brt_cg.cli.parser import command_line_parser
from brt_cg.text import shell_quote
from tests.cli.shell import Shell, shell

NAMES = [name for names in GROUPS.values() for name in names]


def test_every_command_is_in_one_group_of_the_help() -> None:
    assert sorted(NAMES) == sorted(command_line_parser().commands)


def test_the_help_lists_the_commands_in_their_groups_on_80_columns() -> None:
    told = command_line_parser().format_help()
    assert [name for name in NAMES if f"\n  {name} " not in told] == []
    assert told.index("Play the Refit Phase:") < told.index("\n  refit ") < told.index("\nBuy:")
    assert max(map(len, told.splitlines())) < 80


@pytest.mark.parametrize(
    ("typed", "asked"),
    [
        ("stauts", 'there is no command "stauts"; did you mean status?'),
        ("Refit x.brt", 'there is no command "Refit"; did you mean refit?'),
        ("tarawa.brt x", 'there is no command "tarawa.brt"; did you mean brt-cg open tarawa.brt?'),
        (r"C:\t\x y", r'there is no command "C:\t\x"; brt-cg --help lists the commands'),
        (r"status x.brt C:\t\y", r'"C:\t\y" is one word too many'),
        ("xyzzy", 'there is no command "xyzzy"; brt-cg --help lists the commands'),
        ("status x.brt --side marien", "did you mean marine?"),
    ],
)
def test_a_mistyped_word_gets_a_suggestion(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, typed: str, asked: str
) -> None:
    got = shell(capsys, tmp_path)(*typed.split())
    assert got.code == 2
    assert asked in " ".join(got.err.split())


@pytest.mark.parametrize("path", sorted(GUIDE.iterdir()), ids=lambda path: path.stem)
def test_each_example_of_a_help_is_on_its_own_line(path: Path) -> None:
    _, _, examples = path.read_text("utf-8").partition("examples:\n")
    assert all(line.startswith(("  brt-cg ", "    --")) for line in examples.splitlines())
    assert [line for line in examples.splitlines() if line.count("brt-cg ") > 1] == []


@pytest.mark.parametrize("name", ["first game.brt", "Übung.BRT", "-1.brt"])
def test_a_campaign_as_the_only_argument_opens_like_a_double_click(
    file: Path, tmp_path: Path, brt: Shell, name: str
) -> None:
    named = file.rename(tmp_path / name)
    got, opened = brt(named), brt("open", named)
    assert (got.code, got.out) == (0, opened.out)
    assert f"brt-cg refit {shell_quote(named)}" in got.out


def test_a_campaign_as_the_only_argument_opens_the_screen_in_a_terminal(
    file: Path, tmp_path: Path, brt: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    named, opened = file.rename(tmp_path / "my first game.brt"), list[object]()
    monkeypatch.setattr(screens, "is_terminal", lambda: True)
    monkeypatch.setattr(screens, "_run", lambda path, **_: opened.append(path) or 0)
    assert brt(named).code == 0
    assert opened == [named]


def test_a_mail_as_the_only_argument_is_opened(file: Path, tmp_path: Path, brt: Shell) -> None:
    mail = tmp_path / "to the Japanese.brtmail"
    assert brt("send", file, "-o", mail, "--side", "marine").code == 0
    assert "is a mail for" in brt(mail).err


def test_a_file_is_not_opened_as_a_campaign_for_its_name_alone(tmp_path: Path, brt: Shell) -> None:
    (tmp_path / "status").write_text("no campaign")
    assert brt("status").code == 2
    got = brt(tmp_path / "notes.txt")
    assert "there is no command" in got.err


def test_a_hint_quotes_a_name_with_a_space(brt: Shell) -> None:
    got = brt("first game.brt", "now")
    assert f"did you mean brt-cg open {shell_quote('first game.brt')}?" in got.err


def test_the_help_of_serve_starts_with_the_most_common_way() -> None:
    [serve] = command_line_parser(("serve",)).commands.values()
    for _ in range(2):
        first, _, options = serve.format_help().partition("positional arguments:")
        assert "The way that works for most players" in first
        assert "https://NAME" in first
        assert "The way that works for most" not in options
