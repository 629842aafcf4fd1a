"""A save as VASSAL carries it out, command after command: a second reader, which shares nothing
with the first. What a stack names before it has been met is dropped from it, and lies alone."""

import zipfile
from io import BytesIO


def opened(archive: bytes) -> str:
    """The text of a save: after a mark and a key, hex digits of bytes that the key has changed."""
    with zipfile.ZipFile(BytesIO(archive)) as members:
        raw = members.read("savedGame")
    assert raw[:5] == b"!VCSK"
    key, *shuffled = bytes.fromhex(raw[5:].decode())
    return bytes(key ^ byte for byte in shuffled).decode("utf-8")


def cut(text: str, sign: str) -> list[str]:
    """The parts of a text between the signs that no backslash stands before."""
    first, *others = text.split(sign)
    whole = [first]
    for part in others:
        if whole[-1].endswith("\\"):
            whole[-1] = whole[-1][:-1] + sign + part
        else:
            whole.append(part)
    return [one[1:-1] if len(one) > 1 and one[0] == one[-1] == "'" else one for one in whole]


def links(chain: str) -> list[str]:
    """The traits of a piece, or their states, outermost first."""
    found = []
    while len(parts := cut(chain, "\t")) > 1:
        found.append(parts[0])
        chain = parts[1]
    return [*found, chain]


def name_with(name: str, first: str, behind: list[str]) -> str:
    """A name with the text of a layer: "X" replaces it, "X +" stands before it, "+ X" behind it."""
    if not behind:
        return first.strip() or name
    return f"{first}{name}" if first.strip() else f"{name}{behind[0]}"


class Table:
    """The pieces on the table after the last command: what each is, shows, and where it lies."""

    def __init__(self, text: str) -> None:
        self.types: dict[str, str] = {}
        self.states: dict[str, str] = {}
        self.own_place: dict[str, tuple[str, ...]] = {}
        self.stacks: dict[str, tuple[tuple[str, ...], list[str]]] = {}
        self.dropped: list[str] = []
        self.commands: list[str] = []
        self.carry_out(text)

    def carry_out(self, text: str) -> None:
        parts = cut(text, "\x1b")
        if len(parts) > 1:
            for part in parts:
                self.carry_out(part)
            return
        self.commands.append(text)
        if text.startswith("+/"):
            id, type, state = cut(text[2:], "/")
            self.add(id, type, state)

    def add(self, id: str, type: str, state: str) -> None:
        if type != "stack":
            innermost = state
            while "\t" in innermost:
                innermost = cut(innermost, "\t")[1]
            self.types[id], self.states[id] = type, state
            self.own_place[id] = tuple(cut(innermost, ";")[:3])
            return
        map, x, y, *children = cut(state, ";")
        named = [child for child in children if not child.startswith("@@")]
        self.dropped += [child for child in named if child not in self.types]
        self.stacks[id] = ((map, x, y), [child for child in named if child in self.types])

    def drawn(self, id: str) -> tuple[str, list[str]]:
        """The name that a piece has, and the pictures that are drawn of it."""
        types, states = links(self.types[id]), links(self.states[id])
        about = cut(types[-1], ";")
        name, pictures = about[4].strip(), [about[3]]
        for type, state in zip(reversed(types[:-1]), reversed(states[:-1]), strict=True):
            level = int(cut(state, ";")[0]) if type.startswith("emb2;") else 0
            if level > 0:
                each, texts = (cut(field, ",") for field in cut(type, ";")[16:18])
                pictures.append(each[level - 1])
                first, *behind = cut(texts[level - 1], "+")
                name = name_with(name, first, behind)
        return " ".join(name.split()), [one for one in pictures if one.strip()]

    def loose(self) -> list[str]:
        """The pieces that lie in no stack, or not where their stack lies."""
        lies = {piece: place for place, pieces in self.stacks.values() for piece in pieces}
        return [piece for piece, place in self.own_place.items() if lies.get(piece) != place]
