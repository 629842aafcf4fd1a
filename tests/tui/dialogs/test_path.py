"""The dialog for a file takes a path as a player pastes it, after the folder that stands there."""

import pytest

from brt_cg.tui.dialogs.path import resolve_after_folder, unquoted

HOME, WINDOWS = "/home/bill/", "C:\\Users\\Bill\\"


@pytest.mark.parametrize("folder", [HOME, WINDOWS])
@pytest.mark.parametrize(
    "whole",
    [
        "D:\\Games\\Tarawa.brt",
        "d:/games/tarawa.brt",
        "\\\\nas\\asl\\tarawa.brt",
        "~\\Documents\\tarawa.brt",
        "~/tarawa.brt",
        "~",
        "/srv/tarawa.brt",
        "postgresql://club/asl?campaign=tarawa",
    ],
)
@pytest.mark.parametrize("quote", ["", '"', "'"])
def test_a_full_path_ignores_the_shown_folder(folder: str, whole: str, quote: str) -> None:
    assert resolve_after_folder(folder, f"{folder}{quote}{whole}{quote}") == whole
    assert resolve_after_folder(folder, f" {quote}{whole}{quote} ") == whole


@pytest.mark.parametrize("folder", [HOME, WINDOWS])
@pytest.mark.parametrize("typed", ["tarawa.brt", '"tarawa.brt"', "'tarawa.brt' "])
def test_a_name_is_in_the_shown_folder(folder: str, typed: str) -> None:
    assert resolve_after_folder(folder, f"{folder}{typed}") == f"{folder}tarawa.brt"


def test_a_name_typed_instead_of_the_folder_is_used_unchanged() -> None:
    assert resolve_after_folder(HOME, "tarawa.brt") == "tarawa.brt"


@pytest.mark.parametrize(
    ("typed", "path"),
    [
        ('"C:\\My games\\t.brt"', "C:\\My games\\t.brt"),
        ("'t.brt'", "t.brt"),
        ("Bill's.brt", "Bill's.brt"),
        ('"', '"'),
    ],
)
def test_only_quotes_around_a_path_are_removed(typed: str, path: str) -> None:
    assert unquoted(typed) == path
