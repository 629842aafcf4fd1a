"""A small writer of VASL's save format, after what VASSAL itself writes; for the tests alone."""

from dataclasses import dataclass, field

from brt_cg.vasl import geometry
from brt_cg.vasl.savefile import HEX, SaveFile

ESC = "\x1b"
MAP = "Main Map"


def layer(names: str, level: int, pictures: str = "ja/x") -> tuple[str, str]:
    """A layer: its names with commas between, and the picture that is on (negative: none)."""
    shown = ",".join([pictures] * (names.count(",") + 1))
    return f"emb2;;2;A;;2;B;;2;;;;0;false;0;0;{quoted(shown)};{quoted(names)};true;;;", str(level)


def levels(name: str, pictures: str, level: int) -> tuple[str, str]:
    """A layer with a name of its own whose levels have none, as newer vehicles have."""
    names = "," * pictures.count(",")
    return f"emb2;Activate;128;;A;128;;;128;;;;1;false;0;0;{pictures};{names};true;{name};;", str(
        level
    )


def quoted(text: str) -> str:
    return text.replace(";", "\\;")


def hide(by: str | None = None) -> tuple[str, str]:
    return "hide;72,130;HIP;;player:;0.3", by or "null"


def conceal(by: str | None = None, nation: str = "ja") -> tuple[str, str]:
    return f"conceal;C;{nation}/{nation}qmark;{nation};;", f"{by or 'null'};"


@dataclass
class Wrote:
    """A piece to be written: its name, picture, and traits, outermost first; what VASSAL `noted` of
    it: the piece that it was cloned from, and from where it was sent."""

    id: str
    name: str
    picture: str = "ja/ja1"
    traits: list[tuple[str, str]] = field(default_factory=list)
    noted: dict[str, str] = field(default_factory=dict)


@dataclass
class Save:
    """A save being written: stacks at pixels, from which its text is made.

    `old_quotes` follows the writers of before, which quote a token that ends with a backslash;
    newer ones quote one that begins with it.
    """

    old_quotes: bool = False
    stacks: list[tuple[str, int, int, list[Wrote]]] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    module: str = "VASL"
    version: str = "6.5"

    def at(self, hex: str, *pieces: Wrote) -> "Save":
        return self.at_pixel(*geometry.hex_center(hex), *pieces)

    def at_pixel(self, x: int, y: int, *pieces: Wrote, on: str = MAP) -> "Save":
        self.stacks.append((on, x, y, list(pieces)))
        return self

    def pieces(self) -> list[Wrote]:
        return [piece for *_, pieces in self.stacks for piece in pieces]

    def drop(self, gone: Wrote) -> None:
        for *_, pieces in self.stacks:
            pieces[:] = [piece for piece in pieces if piece is not gone]

    def swap(self, first: Wrote, second: Wrote) -> None:
        other = {first.id: second, second.id: first}
        for *_, pieces in self.stacks:
            pieces[:] = [other.get(piece.id, piece) for piece in pieces]

    def text(self) -> str:
        commands = ["begin_save", ""]
        for number, (on, x, y, pieces) in enumerate(self.stacks):
            commands += [self.piece(one, on, x, y) for one in pieces]
            ids = "".join(f";{one.id}" for one in pieces)
            commands.append("+/" + self.joined([f"9{number}", "stack", f"{on};{x};{y}{ids}"], "/"))
        within = self.joined([*commands[2:], *self.others], ESC)
        return self.joined(["begin_save", "", within, "end_save"], ESC)

    def piece(self, wrote: Wrote, on: str, x: int, y: int) -> str:
        noted = "".join(f";{name};{value}" for name, value in wrote.noted.items())
        noted = f";{len(wrote.noted)}{noted}" if noted else ""
        basic = (f"piece;K;D;{wrote.picture};{wrote.name}", f"{on};{x};{y};0{noted}")
        traits = [*wrote.traits, basic]
        types = self.chained([one[0] for one in traits])
        states = self.chained([one[1] for one in traits])
        return "+/" + self.joined([wrote.id, types, states], "/")

    def chained(self, links: list[str]) -> str:
        text = links[-1]
        for link in reversed(links[:-1]):
            text = self.joined([link, text], "\t")
        return text

    def joined(self, tokens: list[str], delimiter: str) -> str:
        return delimiter.join(self.token(one, delimiter) for one in tokens)

    def token(self, text: str, delimiter: str) -> str:
        escaped = text.replace(delimiter, "\\" + delimiter)
        risky = text.endswith("\\") if self.old_quotes else text.startswith("\\")
        both = len(text) > 1 and text[0] == text[-1] == "'"
        return f"'{escaped}'" if risky or both else escaped

    def file(self, magic: bytes = HEX, key: int = 0x4F) -> SaveFile:
        about = (
            f'<data version="1"><version>{self.version}</version><name>{self.module}</name></data>'
        ).encode()
        others = (("savedata", b"<data/>"), ("moduledata", about))
        return SaveFile(self.text(), magic, key, others)
