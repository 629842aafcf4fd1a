"""Where a save comes from: the module that wrote it, and the board that lies on its map."""

import re
from itertools import takewhile

from brt_cg.vasl.pieces import VaslSave
from brt_cg.vasl.savefile import MODULE_DATA, SaveFile, Unusable

MODULE, BOARD = "VASL", "BRT"
SETS_BOARDS = "bd\t"


def check_origin(save: SaveFile, saved: VaslSave) -> None:
    """Raises Unusable, saying what it is instead, unless a save is VASL's and has the whole board
    of Betio, not turned. A save that names no module or no board passes."""
    data = dict(save.others).get(MODULE_DATA, b"").decode("utf-8", "replace")
    named = re.search(r"<name[^>]*>([^<]*)</name>", data)
    if named is not None and named[1].strip() != MODULE:
        raise Unusable(f"it is a save of the module {named[1].strip()!r}; allowed: {MODULE}")
    boards = [text for text in saved.others if text.startswith(SETS_BOARDS)]
    if boards:
        _check_boards([text for text in boards[-1].split(SETS_BOARDS) if text])


def _check_boards(boards: list[str]) -> None:
    wrong = ", ".join(what for what in map(_what_is_wrong, boards) if what)
    if wrong or len(boards) != 1:
        names = wrong or f"{len(boards)} boards"
        raise Unusable(f"its map is {names}; allowed: the whole board {BOARD}, alone, not turned")


def _what_is_wrong(board: str) -> str:
    """What a board is, if it is not Betio as it lies here: its place, its name with an "r" before
    it if it is turned, perhaps four numbers that crop it, then its version and more."""
    _, _, name, *rest = (*board.split("\t"), "", "", "")
    turned = name.removeprefix("r").upper() == BOARD and name != BOARD
    crop = list(takewhile(_is_number, rest))
    if name.upper() != BOARD:
        return f"the board {BOARD} turned round" if turned else f"the board {name!r}"
    if crop or "ZOOM" in rest:
        return f"a part of the board {BOARD}" if crop else f"the board {BOARD} in another size"
    return ""


def _is_number(text: str) -> bool:
    return re.fullmatch(r"-?\d+", text) is not None
