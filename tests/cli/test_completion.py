"""What a shell completes: every command and option of the parser, and nothing that is not one."""

import re
import subprocess
from pathlib import Path

import pytest

from brt_cg.cli.completion import man_page, subcommands_of
from brt_cg.cli.parser import SCRIPTS, command_line_parser
from tests.cli.shell import Shell


@pytest.mark.parametrize("shell", SCRIPTS)
def test_every_command_and_option_is_offered_in_every_shell(brt: Shell, shell: str) -> None:
    printed = brt("completion", shell).out
    for name, (_, command) in subcommands_of(command_line_parser()).items():
        assert re.search(rf"\b{name}\b", printed), name
        for action in command._actions:
            for option in action.option_strings:
                bare = option.lstrip("-") if shell == "fish" else option
                assert re.search(rf"(?<![\w-]){re.escape(bare)}(?![\w-])", printed), option


def complete_in_bash(script: Path, *words: str) -> set[str]:
    """What bash offers for the last of the words of a line."""
    asked = (
        f"source {script}; COMP_WORDS=({' '.join(repr(word) for word in words)}); "
        f"COMP_CWORD={len(words) - 1}; "
        "$(complete -p brt-cg | sed 's/.*-F \\([^ ]*\\).*/\\1/') brt-cg; "
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(["bash", "-c", asked], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.posix
def test_bash_offers_commands_options_and_values(brt: Shell, tmp_path: Path) -> None:
    script = tmp_path / "brt-cg.bash"
    script.write_text(brt("completion", "bash").out, "utf-8")
    assert complete_in_bash(script, "brt-cg", "red") == {"redo"}
    assert {"refit", "restore", "repair"} < complete_in_bash(script, "brt-cg", "re")
    assert complete_in_bash(script, "brt-cg", "refit", "--a") == {"--answers", "--auto"}
    assert complete_in_bash(script, "brt-cg", "completion", "f") == {"fish"}
    assert complete_in_bash(script, "brt-cg", "status", "--side", "m") == {"marine"}
    assert complete_in_bash(script, "brt-cg", "export", "f", "ch") == {"chronicle"}
    assert complete_in_bash(script, "brt-cg", "buy", "f", "tetra") == {
        *("tetrahedron", "tetrahedron_wire")
    }
    assert complete_in_bash(script, "brt-cg", "buy", "f", "hmg", "--beach", "b") == {
        *("black_one", "black_two")
    }


def test_values_not_offered_may_still_be_typed(brt: Shell) -> None:
    brt("completion", "bash")
    told = brt("export", "nowhere.brt", "roaster").err
    assert "invalid choice" not in told


def test_completion_offers_files_or_choices_as_appropriate(brt: Shell) -> None:
    lines = brt("completion", "fish").out.splitlines()
    of_status = [line for line in lines if "_using status;" in line]
    assert any("complete_path" in line and "the campaign" in line for line in of_status)
    assert any('_using new\' -l cg -xka "I II III"' in line for line in lines)


def test_an_unknown_shell_is_refused_with_the_known_ones(brt: Shell) -> None:
    got = brt("completion", "tcl")
    assert got.code == 2
    assert "powershell" in got.err


def test_the_man_page_prints_one_percent_sign() -> None:
    page = man_page(command_line_parser(), "1.2.3")
    assert "2%," in page
    assert "%%" not in page


def test_the_man_page_describes_every_command_and_exit_status() -> None:
    page = man_page(command_line_parser(), "1.2.3")
    assert page.startswith('.TH BRT-CG 1 "" "brt-cg 1.2.3"\n')
    for name, (text, _) in subcommands_of(command_line_parser()).items():
        assert f".SS {name}\n" in page
        assert text.replace("-", "\\-") in page
    assert page.isascii()
    assert re.findall(r"^\.B (\d)$", page, re.MULTILINE) == ["0", "1", "2", "3"]
    known = ("TH", "SH", "SS", "TP", "B", "PP", "nf", "fi")
    assert {line.split()[0][1:] for line in page.splitlines() if line.startswith(".")} <= {*known}


def test_help_says_what_each_argument_is_in_lines_that_fit_a_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for name, (_, command) in subcommands_of(command_line_parser()).items():
        unsaid = [action.dest for action in command._actions if not action.help]
        assert unsaid == [], name
        assert max(map(len, command.format_help().splitlines())) <= 80, name
