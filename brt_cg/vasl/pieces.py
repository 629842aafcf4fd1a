"""The pieces of a save: its text as commands, and the pieces on its maps after the last command.

A save is one command that contains many, separated by ESC and nested by backslashes; most of them
add a piece, or a stack with the place of its pieces. A log continues with commands that move,
change and remove them.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

from brt_cg.immutable import immutable
from brt_cg.text import parse_whole_number
from brt_cg.vasl.geometry import MAIN_MAP, MARGIN
from brt_cg.vasl.identity import LEAST
from brt_cg.vasl.savefile import (
    MODULE_DATA,
    SaveError,
    SaveFile,
    escape_token,
    join_chain,
    join_tokens,
    split_chain,
    split_raw_tokens,
    split_tokens,
    unescape_token,
)

ESC, PARAMETER = "\x1b", "/"
ADD, REMOVE, CHANGE, MOVE, LOG = "+/", "-/", "D/", "M/", "LOG\t"
END_SAVE = "end_save"  # comes after all pieces on the map
PARTS = {ADD: 4, REMOVE: 2, CHANGE: 4, MOVE: 11}  # of a whole command, between slashes
NO_ID = "null"
INFO, INFO_DELIMITER = "INFO\t", "\t"
COUNTERS = ("@@1",)  # the layer of the map for counters
DEEPEST = 60  # the limit of nesting; saves have two or three levels


@dataclass(slots=True)
class Trait:
    """One trait of a piece: its definition and its state, both as semicolon-separated fields."""

    type: str
    state: str

    @property
    def kind(self) -> str:
        """Return the first field: "emb2", "hide", "conceal", "mark", or "piece" for the innermost
        type."""
        return self.type.split(";", 1)[0]

    def fields(self) -> list[str]:
        return split_tokens(self.type, ";")

    def states(self) -> list[str]:
        return split_tokens(self.state, ";")


@dataclass(slots=True)
class VaslPiece:
    """A piece and its id: its traits, outermost first. The last one is the basic piece, with its
    name, its picture and, if the piece is not in a stack, its place."""

    id: str
    traits: list[Trait]

    @property
    def basic(self) -> Trait:
        return self.traits[-1]

    def state(self) -> str:
        return join_chain([trait.state for trait in self.traits])

    def set_state(self, state: str) -> None:
        """Set the states of all traits from a command that changes them."""
        states = split_chain(state)
        for trait, given in zip(self.traits, states, strict=False):
            trait.state = given

    def own_place(self) -> "VaslPlace":
        """Return the place given in the piece itself; the place of its stack takes precedence."""
        return _place(self.basic.states())

    def vassal_property(self, name: str) -> str:
        """Return the value of a piece's VASSAL property, "" if the piece lacks it: names and values
        alternate after its place and slot."""
        noted = self.basic.states()[5:]
        return dict(zip(noted[::2], noted[1::2], strict=False)).get(name, "")

    def set_own_place(self, place: "VaslPlace") -> None:
        states = self.basic.states()
        states[:3] = [place.map, str(place.x), str(place.y)]
        self.basic.state = join_tokens(states, ";")


@dataclass(slots=True)
class VaslStack:
    """A stack: its place and its pieces, lowest first. `layer` holds the remaining fields of
    its text."""

    id: str
    place: "VaslPlace"
    pieces: list[str]
    layer: list[str] = field(default_factory=list)

    def state(self) -> str:
        where = [self.place.map, str(self.place.x), str(self.place.y)]
        return join_tokens([*where, *self.pieces, *self.layer], ";")


@immutable
class VaslPlace:
    """A point of a map, in pixels from its upper left corner."""

    map: str
    x: int
    y: int


class VaslCommand:
    """A command: its text, or the commands in it. `written` is its form in the surrounding text,
    None once it has changed. Raises SaveError if it is nested too deeply."""

    def __init__(
        self,
        text: str,
        written: str | None = None,
        around: "VaslCommand | None" = None,
        depth: int = 0,
    ) -> None:
        if depth > DEEPEST:
            raise SaveError(f"its commands are nested more than {DEEPEST} levels deep")
        parts = split_raw_tokens(text, ESC)
        self.text, self.written, self.around = text, written, around
        self.within: list[VaslCommand] = []
        if around is None or len(parts) > 1:
            self.within = [
                VaslCommand(unescape_token(part, ESC), part, self, depth + 1) for part in parts
            ]

    def render(self) -> str:
        """Return the command as text; unchanged parts exactly as they were."""
        parts = (
            escape_token(part.render(), ESC) if part.written is None else part.written
            for part in self.within
        )
        return ESC.join(parts) if self.within else self.text

    def mark_changed(self) -> None:
        """Mark the command, and those around it, to be rendered again."""
        self.written = None
        if self.around is not None:
            self.around.mark_changed()

    def leaves(self) -> Iterator["VaslCommand"]:
        """Yield the commands without commands in them, in order."""
        if not self.within:
            yield self
        for inner in self.within:
            yield from inner.leaves()


class VaslSave:
    """The pieces on the maps of a save or log after its last command.

    `pieces` and `stacks` are by id; `others` are all commands that are not pieces, as text (INFO,
    NOTES, properties); `is_log` means that the `steps` of a game follow the setup, `is_cut_off`
    that the end is missing. All changes, made directly or with `keep`, are in the text that
    `text()` returns.
    """

    def __init__(self, text: str) -> None:
        self.root = VaslCommand(text)
        self.pieces: dict[str, VaslPiece] = {}
        self.stacks: dict[str, VaslStack] = {}
        self.others: list[str] = []
        self.is_log = False
        self.steps = 0
        self.is_cut_off = False
        self._added: dict[str, VaslCommand] = {}
        self._info: VaslCommand | None = None
        for command in self.root.leaves():
            self._carry_out(command)
        self.is_cut_off |= END_SAVE not in self.others or self._ends_within_a_step()
        for stack in self.stacks.values():  # because VASSAL drops missing pieces from a stack
            stack.pieces = [id for id in stack.pieces if id in self.pieces]
        self._part = _part_of(_boards(self.others))

    def to_whole_board(self, place: "VaslPlace") -> "VaslPlace":
        """Return the position that a point of the map would have if it contained the whole board; a
        point beside the board remains beside it."""
        x, y, wide, high = self._part
        if place.map != MAIN_MAP or not (x or y or wide > 0 or high > 0):
            return place
        across, down = place.x - MARGIN, place.y - MARGIN
        beside = across < 0 or down < 0 or 0 < wide < across or 0 < high < down
        return (
            VaslPlace(place.map, 0, 0) if beside else replace(place, x=place.x + x, y=place.y + y)
        )

    def to_part(self, place: "VaslPlace") -> "VaslPlace":
        """Return the position on the map of a point of the whole board."""
        return replace(place, x=place.x - self._part[0], y=place.y - self._part[1])

    def scenario_info(self) -> list[str]:
        """Return the fields of VASL's scenario information; empty if the save has none."""
        return split_tokens(self._info.text, INFO_DELIMITER) if self._info is not None else []

    def set_scenario_info(self, fields: Sequence[str]) -> None:
        assert self._info is not None, "only existing information can be changed"
        text = join_tokens(fields, INFO_DELIMITER)
        if text != self._info.text:
            self._info.text = text
            self._info.mark_changed()

    def text(self) -> str:
        """Return the save's text; without changes, exactly as it was read."""
        return self.root.render()

    def write_back(self, what: VaslPiece | VaslStack) -> None:
        """Write a changed piece or stack into the text."""
        command = self._added[what.id]
        id, type, _, *rest = split_raw_tokens(command.text.removeprefix(ADD), PARAMETER)
        state = escape_token(what.state(), PARAMETER)
        command.text = ADD + PARAMETER.join((id, type, state, *rest))
        command.mark_changed()

    def remove_from_stack(self, piece: str) -> VaslStack | None:
        """Take a piece out of its stack, and return the stack; an empty stack is removed."""
        stack = self.stack_of(piece)
        if stack is not None:
            stack.pieces.remove(piece)
            self._put_last(stack)
        return stack

    def put_on_stack(self, pieces: Sequence[str], stack: VaslStack, at: int | None = None) -> None:
        """Put pieces that are not in a stack into one, at an index or on top."""
        at = len(stack.pieces) if at is None else at
        stack.pieces[at:at] = pieces
        for id in pieces:
            self.pieces[id].set_own_place(stack.place)
            self.write_back(self.pieces[id])
        self._put_last(stack)

    def new_stack(
        self, place: "VaslPlace", pieces: Sequence[str], layer: Sequence[str]
    ) -> VaslStack:
        """Put pieces that are not in a stack into a new one; `layer` is as in other stacks."""
        stack = VaslStack(self._next_id(), place, [], list(layer))
        self.stacks[stack.id] = stack
        near = self._added[pieces[0]]
        self._added[stack.id] = VaslCommand(
            ADD + PARAMETER.join((stack.id, "stack", "")), around=near.around
        )
        self.put_on_stack(pieces, stack)
        return stack

    def add(self, piece: VaslPiece, place: "VaslPlace", id: str, origin: str = "") -> str:
        """Add a new piece, and return its id. VASSAL notes the piece that it came from
        (`origin`)."""
        piece.id = id
        slot = (*piece.basic.states(), "", "", "", "")[3]
        noted = ["1", "UniqueID", origin or piece.id]
        states = [place.map, str(place.x), str(place.y), slot, *noted]
        piece.basic.state = join_tokens(states, ";")
        parts = (piece.id, join_chain([trait.type for trait in piece.traits]), piece.state())
        text = ADD + PARAMETER.join(escape_token(part, PARAMETER) for part in parts)
        near = self._last()
        assert near.around is not None, "every command is inside the whole save"
        among = near.around.within
        command = VaslCommand(text, around=near.around)
        among.insert(among.index(near) + 1, command)
        command.mark_changed()
        self._added[piece.id], self.pieces[piece.id] = command, piece
        return piece.id

    def _next_id(self) -> str:
        """Return the next number for a stack, after the numbers that VASSAL has given."""
        numbers = (int(id) for id in self._added if id.isdecimal())
        return str(max((number for number in numbers if number < LEAST), default=0) + 1)

    def _last(self) -> VaslCommand:
        """Return the last command that adds something; if there is none, the last command with
        text."""
        if self._added:
            return max(self._added.values(), key=self._position)
        some = [one for one in self.root.leaves() if one.text and "_save" not in one.text]
        if not some:
            raise SaveError("it is empty")
        return some[-1]

    def replace(self, old: str, piece: VaslPiece, id: str) -> str:
        """Replace a piece with a new one, and return its id."""
        place, stack = self.pieces[old].own_place(), self.stack_of(old)
        self.add(piece, stack.place if stack else place, id, old)
        if stack is not None:
            self.put_on_stack([id], stack, stack.pieces.index(old))
        self.remove(old)
        return id

    def put_on_piece(self, piece: str, below: str) -> None:
        """Lay a piece that is not in a stack directly on another one."""
        stack = self.stack_of(below)
        if stack is None:
            stack = self.new_stack(self.pieces[below].own_place(), [below], self.usual_layer())
        self.put_on_stack([piece], stack, stack.pieces.index(below) + 1)

    def usual_layer(self) -> list[str]:
        """Return the layer of the map that the stacks of counters are in."""
        layers = Counter(tuple(stack.layer) for stack in self.stacks.values())
        return [*max(layers, key=lambda layer: layers[layer], default=COUNTERS)]

    def remove(self, piece: str) -> None:
        """Take a piece out of the save."""
        self.remove_from_stack(piece)
        self._drop(self._added.pop(piece))
        del self.pieces[piece]

    def stack_of(self, piece: str) -> VaslStack | None:
        """Return the stack that a piece is in, if any."""
        return next((stack for stack in self.stacks.values() if piece in stack.pieces), None)

    def _put_last(self, stack: VaslStack) -> None:
        """Write a changed stack after its last piece: VASSAL drops from a stack any piece that
        comes after it."""
        command = self._added[stack.id]
        self._drop(command)
        if not stack.pieces:
            del self.stacks[stack.id], self._added[stack.id]
            return
        parts = [self._added[id] for id in stack.pieces]
        last = max(parts, key=self._position)
        assert last.around is not None, "every piece is inside the whole save"
        among = last.around.within
        command.around = last.around
        among.insert(among.index(last) + 1, command)
        self.write_back(stack)

    def _position(self, command: VaslCommand) -> tuple[int, ...]:
        """Return the place of a command in the whole text, by its index on each level."""
        place: tuple[int, ...] = ()
        while command.around is not None:
            place = (command.around.within.index(command), *place)
            command = command.around
        return place

    @staticmethod
    def _drop(command: VaslCommand) -> None:
        if command.around is not None and command in command.around.within:
            command.around.mark_changed()
            command.around.within.remove(command)

    def places_and_pieces_above(self) -> dict[str, tuple[VaslPlace, list[str]]]:
        """Return the place of each piece, by its id, and the pieces above it, upwards."""
        found = {id: (piece.own_place(), list[str]()) for id, piece in self.pieces.items()}
        for stack in self.stacks.values():
            for height, id in enumerate(stack.pieces):
                found[id] = (stack.place, stack.pieces[height + 1 :])
        return found

    def _carry_out(self, command: VaslCommand) -> None:
        self.steps += command.text.startswith(LOG)
        self.is_log |= command.text.startswith(LOG)
        text = command.text.removeprefix(LOG)
        if text.startswith(ADD):
            self._add(command, split_tokens(text.removeprefix(ADD), PARAMETER))
        elif text.startswith(REMOVE):
            self._take_away(text.removeprefix(REMOVE))
        elif text.startswith(CHANGE):
            self._change(split_tokens(text.removeprefix(CHANGE), PARAMETER))
        elif text.startswith(MOVE):
            self._move(split_tokens(text.removeprefix(MOVE), PARAMETER))
        elif text:
            self.others.append(text)
            if text.startswith(INFO):
                self._info = command

    def _add(self, command: VaslCommand, given: list[str]) -> None:
        self.is_cut_off |= len(given) < 3
        if len(given) < 3 or given[0] == NO_ID:
            return
        id, type, state = given[:3]
        self._added[id] = command
        if type == "stack":
            self.stacks[id] = _stack(id, state)
            return
        traits = split_chain(type)
        states = split_chain(state)
        states += [""] * (len(traits) - len(states))
        pairs = zip(traits, states, strict=False)
        self.pieces[id] = VaslPiece(id, [Trait(kind, given) for kind, given in pairs])

    def _ends_within_a_step(self) -> bool:
        """Whether the last command of a log is incomplete. A log that is cut off between two steps
        looks like a shorter log."""
        *_, last = self.root.leaves()
        text, given = last.text.removeprefix(LOG), split_raw_tokens(last.text, PARAMETER)
        if not self.is_log or not text:
            return False
        kind = text[: len(ADD)]
        is_a_part = any(whole.startswith(text) for whole in (LOG, *PARTS))
        if is_a_part or len(given) < PARTS.get(kind, 0):
            return True
        if kind == REMOVE:
            return given[1] not in self._added
        return kind == ADD and self._is_added_in_part(given[1], unescape_token(given[3], PARAMETER))

    def _is_added_in_part(self, id: str, state: str) -> bool:
        if (stack := self.stacks.get(id)) is not None:
            return bool(self.usual_layer()) and not stack.layer
        links = split_chain(state)
        piece = self.pieces.get(id)
        return piece is not None and (
            len(links) < len(piece.traits) or _is_basic_cut_off(links[-1])
        )

    def _take_away(self, id: str) -> None:
        self.pieces.pop(id, None)
        self.stacks.pop(id, None)
        self._out_of_stacks(id)

    def _change(self, given: list[str]) -> None:
        id, state = (*given, "", "")[:2]
        if id in self.pieces:
            self.pieces[id].set_state(state)
        elif id in self.stacks:
            self.stacks[id] = _stack(id, state)

    def _move(self, given: list[str]) -> None:
        if len(given) < 5:
            self.is_cut_off = True
            return
        id, place, under = given[0], _place(given[1:4]), given[4]
        if id in self.stacks:
            self.stacks[id].place = place
        if id not in self.pieces:
            return
        self._out_of_stacks(id)
        self.pieces[id].set_own_place(place)
        if under in ("", NO_ID):  # under nothing: at the bottom of the stack there
            there = (stack for stack in self.stacks.values() if stack.place == place)
            if (stack := next(there, None)) is not None:
                stack.pieces.insert(0, id)
            return
        for stack in self.stacks.values():
            if under in stack.pieces:
                stack.pieces.insert(stack.pieces.index(under) + 1, id)

    def _out_of_stacks(self, id: str) -> None:
        for stack in self.stacks.values():
            if id in stack.pieces:
                stack.pieces.remove(id)


def _is_basic_cut_off(state: str) -> bool:
    """Whether the state of a basic piece lacks a part: its map, its place, its slot, the number of
    properties, or their names and values."""
    given = split_tokens(state, ";")
    noted = 1 + 2 * _whole(given[4]) if len(given) > 4 else 0
    return len(given) < 4 + noted


def _stack(id: str, state: str) -> VaslStack:
    given = split_tokens(state, ";")
    named = [id_ for id_ in given[3:] if id_]
    # A layer's mark is last, after two "at" signs.
    layer = [id_ for id_ in named if id_.startswith("@@")]
    return VaslStack(id, _place(given), [id_ for id_ in named if id_ not in layer], layer)


def _place(given: list[str]) -> VaslPlace:
    name, x, y = (*given, "", "", "")[:3]
    return VaslPlace(name, _whole(x), _whole(y))


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        return 0


# --- where a save comes from ----------------------------------------------------------------------


MODULE, BOARD = "VASL", "BRT"
SETS_BOARDS = "bd\t"


def check_save_is_usable(save: SaveFile, saved: VaslSave) -> None:
    """Raise SaveError, with a description, unless a save is a complete VASL save with the board of
    Betio, or a part of it, not turned. A save that names no module or no board is accepted."""
    if saved.is_cut_off:
        raise SaveError("its end is missing; save the game in VASL again")
    data = dict(save.others).get(MODULE_DATA, b"").decode("utf-8", "replace")
    named = re.search(r"<name[^>]*>([^<]*)</name>", data)
    if named is not None and named[1].strip() != MODULE:
        raise SaveError(f"it is a save of the module {named[1].strip()!r}; use a save of {MODULE}")
    if boards := _boards(saved.others):
        _check_boards(boards)


def _boards(others: Sequence[str]) -> list[str]:
    """Return the boards that a save sets last."""
    sets = [text for text in others if text.startswith(SETS_BOARDS)]
    return [text for text in sets[-1].split(SETS_BOARDS) if text] if sets else []


def _check_boards(boards: list[str]) -> None:
    wrong = ", ".join(what for what in map(_board_problem, boards) if what)
    if wrong or len(boards) != 1:
        names = wrong or f"{len(boards)} boards"
        how = (
            f"in VASL choose only the board {BOARD}, not reversed and at its usual size, and "
            f"save again"
        )
        raise SaveError(f"its map is {names}, but must be the board {BOARD} or a part of it; {how}")


def _board_problem(board: str) -> str:
    """Return the description of a board that is not Betio in the expected position. A board is
    given as its place, its name (after "r" if it is turned), perhaps four numbers that crop it, its
    version and more."""
    _, _, name, *rest = (*board.split("\t"), "", "", "")
    turned = name.removeprefix("r").upper() == BOARD and name != BOARD
    if name.upper() != BOARD:
        return f"the reversed board {BOARD}" if turned else f"the board {name!r}"
    return f"the board {BOARD} at a different size" if "ZOOM" in rest else ""


def _part_of(boards: Sequence[str]) -> tuple[int, int, int, int]:
    """Return the visible part of the only board, in its pixels: the distances from the left and
    from the top, and the width and height, which are both 0 or less if the whole board is
    visible."""
    rest = boards[0].split("\t")[3:] if len(boards) == 1 else []
    numbers = list(takewhile(lambda number: number is not None, map(parse_whole_number, rest)))
    x, y, wide, high = numbers[:4] if len(numbers) >= 4 else (0, 0, -1, -1)
    return x or 0, y or 0, wide or -1, high or -1
