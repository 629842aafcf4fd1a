"""Commands that the program shows can be pasted into the shell of their system."""

import shlex
from pathlib import Path

import pytest

from brt_cg.text import install_command, shell_quote, shell_words

NAMES = ["tarawa.brt", "our Tarawa.brt", "Bill&Joe.brt", "50%.brt", "a,b.brt", "it's.brt", "$1.brt"]


@pytest.mark.parametrize("name", NAMES)
def test_a_posix_shell_reads_a_quoted_name_unchanged(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr("os.name", "posix")
    assert shlex.split(shell_quote(name)) == [name]
    assert shlex.split(f"brt-cg status {shell_quote(name)}")[2:] == [name]
    assert shell_words(f"status {shell_quote(name)} #1")[1:] == [name, "#1"]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        (r"C:\games\tarawa.brt", r"C:\games\tarawa.brt"),
        (r"C:\our games\tarawa.brt", r'"C:\our games\tarawa.brt"'),
        ("Bill&Joe.brt", '"Bill&Joe.brt"'),
        ("a,b.brt", '"a,b.brt"'),
        ("it's.brt", '"it\'s.brt"'),
        ("$1.brt", "'$1.brt'"),
        ("", '""'),
    ],
)
def test_on_windows_a_name_is_in_double_quotes(
    monkeypatch: pytest.MonkeyPatch, name: str, shown: str
) -> None:
    with monkeypatch.context() as windows:
        windows.setattr("os.name", "nt")
        assert shell_quote(name) == shown
        assert shell_words(f"copy {shown} x") == ["copy", name, "x"]


def test_an_extra_is_installed_by_a_command_that_cmd_reads_too() -> None:
    assert install_command("web") == 'pip install "brt-cg[web]"'


@pytest.mark.parametrize(
    ("receipt", "shown"),
    [
        ("pipx_metadata.json", 'pipx runpip brt-cg install "brt-cg[xlsx]"'),
        ("uv-receipt.toml", 'uv pip install --python /tools/python "brt-cg[xlsx]"'),
    ],
)
def test_an_extra_is_installed_by_the_tool_that_installed_the_program(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, receipt: str, shown: str
) -> None:
    """A plain pip installed it for another Python, or not at all."""
    monkeypatch.setattr("sys.prefix", str(tmp_path))
    monkeypatch.setattr("sys.executable", "/tools/python")
    (tmp_path / receipt).touch()
    assert install_command("xlsx") == shown


def test_a_line_with_an_unclosed_quote_is_no_command() -> None:
    with pytest.raises(ValueError, match="No closing quotation"):
        shell_words("notify 'Bill")
