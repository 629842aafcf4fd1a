"""The container of a VASL save or log: a ZIP whose `savedGame` is text, obfuscated in one of
several ways. A changed text can be written back in the same way."""

import lzma
import re
import zipfile
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path

from brt_cg.files import MOST_BYTES, read_bytes, translate_errors
from brt_cg.immutable import immutable

SAVED_GAME, MODULE_DATA = "savedGame", "moduledata"
MOST_MEMORY = 256 * 1024 * 1024  # the memory limit for unpacking XZ
XZ = b"\xfd7zXZ\x00"
HEX, XOR_XZ, XOR, PLAIN = b"!VCSK", b"!VOXZ", b"VOBS", b"begin_save"


class SaveError(Exception):
    """An error in a save file, with a message that follows the file's name."""


@immutable
class SaveFile:
    """A save file: its text, the form in which that is obfuscated (`magic`, with `key`), and all
    other members of the ZIP, by name."""

    text: str
    magic: bytes
    key: int
    others: tuple[tuple[str, bytes], ...]

    def as_zip(self) -> bytes:
        """Return the whole file, its text obfuscated as before. The same save gives the same
        bytes."""
        buffer = BytesIO()
        saved_game = obfuscate(self.text, self.magic, self.key)
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in ((SAVED_GAME, saved_game), *self.others):
                archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
        return buffer.getvalue()


def read_save(path: Path, whole: bool = True) -> SaveFile:
    """Return a save or log file; unless `whole`, read only its text and the member that names the
    module. Raises RefusedError if the file is not a save, is damaged, or is too large when
    unpacked."""
    content = BytesIO(read_bytes(path))
    with (
        translate_errors(path, "a VASL save that can be read"),
        zipfile.ZipFile(content) as archive,
    ):
        return _read_archive(archive, whole)


def _read_archive(archive: zipfile.ZipFile, whole: bool) -> SaveFile:
    names = archive.namelist()
    if SAVED_GAME not in names:
        raise SaveError(f"its ZIP has no member {SAVED_GAME}, but {', '.join(names[:6]) or 'none'}")
    room = 2 * MOST_BYTES  # for all of it: obfuscated as hex digits, a text is twice as long
    content = _member(archive, SAVED_GAME, room)
    text, magic, key = deobfuscate(content)
    others = []
    for name in dict.fromkeys(names):
        if name != SAVED_GAME and (whole or name == MODULE_DATA):
            room -= len(content)
            content = _member(archive, name, room)
            others.append((name, content))
    return SaveFile(text, magic, key, tuple(others))


def _member(archive: zipfile.ZipFile, name: str, room: int) -> bytes:
    with archive.open(name) as stream:
        content = stream.read(room + 1)
    if len(content) > room:
        raise SaveError(f"with {name} it unpacks to more than {2 * MOST_BYTES // 1024**2} MB")
    return content


def module_version(save: SaveFile) -> str:
    """Return the version of the module that a save names, "" if none."""
    data = dict(save.others).get(MODULE_DATA, b"").decode("utf-8", "replace")
    named = re.search(r"<version>([^<]{1,40})</version>", data)
    return named[1].strip() if named is not None else ""


def deobfuscate(content: bytes) -> tuple[str, bytes, int]:
    """Return the text of a `savedGame`, and its magic and key. Raises SaveError."""
    if content.startswith(HEX):
        key = _hex_key(content)
        return _text(_xored(_from_hex(content[7:]), key)), HEX, key
    for magic in (XOR_XZ, b"!" + XOR, XOR):
        if content.startswith(magic):
            key = _byte_key(content, magic)
            body = _xored(content[len(magic) + 1 :], key)
            return _text(_unpacked(body) if magic == XOR_XZ else body), magic, key
    if content.startswith(XZ):
        return _text(_unpacked(content)), XZ, 0
    if content.startswith(PLAIN):
        return _text(content), PLAIN, 0
    raise SaveError(
        f"{SAVED_GAME} begins with {content[:8]!r}, but must begin with !VCSK, !VOXZ, "
        f"!VOBS, VOBS, XZ or, as plain text, begin_save"
    )


def obfuscate(text: str, magic: bytes, key: int) -> bytes:
    """Return text as a `savedGame`, obfuscated with a magic and key."""
    body = text.encode("utf-8")
    if magic in (XZ, XOR_XZ):
        body = lzma.compress(body)
    if magic in (XZ, PLAIN):
        return body
    body = bytes([key]) + _xored(body, key)
    return magic + (body.hex().encode() if magic == HEX else body)


def _hex_key(content: bytes) -> int:
    try:
        return int(content[5:7].decode("ascii"), 16)
    except ValueError:
        raise SaveError(
            f"two hex digits must follow {HEX.decode()}, not {content[5:7]!r}"
        ) from None


def _byte_key(content: bytes, magic: bytes) -> int:
    if len(content) == len(magic):
        raise SaveError(f"it ends after {magic.decode()}")
    return content[len(magic)]


def _from_hex(digits: bytes) -> bytes:
    try:
        return bytes.fromhex(digits.decode("ascii"))
    except ValueError as error:
        raise SaveError(f"{SAVED_GAME} is incomplete or damaged: {error}") from None


def _xored(content: bytes, key: int) -> bytes:
    return content.translate(bytes(value ^ key for value in range(256)))


def _unpacked(content: bytes) -> bytes:
    unpacker = lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=MOST_MEMORY)
    try:
        body = unpacker.decompress(content, max_length=MOST_BYTES + 1)
    except lzma.LZMAError as error:
        raise SaveError(f"its XZ data is damaged: {error}") from None
    if len(body) > MOST_BYTES:
        raise SaveError(f"its XZ data unpacks to more than {MOST_BYTES // 1024**2} MB")
    if not unpacker.eof:
        raise SaveError("its XZ data is incomplete")
    return body


def _text(body: bytes) -> str:
    if len(body) > MOST_BYTES:
        raise SaveError(f"its text is larger than {MOST_BYTES // 1024**2} MB")
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise SaveError(f"its text is not UTF-8 (byte {error.start})") from None


# --- VASSAL's nested sequences --------------------------------------------------------------------

# Tokens with a delimiter between them. A delimiter after a backslash belongs to its token, and
# single quotes around a token are removed. A token may hold a whole sequence with the same
# delimiter, and so on: n levels deep there are n backslashes before each delimiter. Versions
# differ in what they quote, so unchanged tokens are written back exactly as they were.


MOST_LINKS = 200  # of a chain; VASL's counters have up to 60 traits
TAB = "\t"  # the delimiter between the links of a chain


def split_raw_tokens(text: str, delimiter: str) -> list[str]:
    """Return the tokens of a sequence, outermost level only, as written."""
    found: list[str] = []
    start = search_from = 0
    while (at := text.find(delimiter, search_from)) >= 0:
        search_from = at + 1
        if not (at and text[at - 1] == "\\"):
            found.append(text[start:at])
            start = at + 1
    found.append(text[start:])
    return found


def unescape_token(raw: str, delimiter: str) -> str:
    """Return the contents of a token."""
    token = raw.replace("\\" + delimiter, delimiter)
    quoted = len(token) > 1 and token[0] == token[-1] == "'"
    return token[1:-1] if quoted else token


def escape_token(token: str, delimiter: str) -> str:
    """Return a token as written in a sequence."""
    escaped = token.replace(delimiter, "\\" + delimiter)
    in_quotes = len(token) > 1 and token[0] == token[-1] == "'"
    # Older readers expect quotes when a backslash is at the end, newer ones at the beginning.
    risky = token[:1] == "\\" or token[-1:] == "\\" or in_quotes
    return f"'{escaped}'" if risky else escaped


def split_tokens(text: str, delimiter: str) -> list[str]:
    """Return the tokens of a sequence, outermost level only."""
    return [unescape_token(token, delimiter) for token in split_raw_tokens(text, delimiter)]


def join_tokens(parts: Iterable[str], delimiter: str) -> str:
    """Join tokens into a sequence, which `split_tokens` splits again."""
    return delimiter.join(escape_token(part, delimiter) for part in parts)


def split_chain(text: str) -> list[str]:
    """Return the links of a chain, outermost first: each is a token whose sibling is the rest of
    the chain. A piece stores its traits, and their states, in this way."""
    if "'" in text:
        return _chain_level_by_level(text)
    links: list[str] = []
    start = 0
    for found in re.finditer(r"(\\*)\t", text):
        # With more backslashes than there are levels, the tab is part of the link's text.
        if len(found[1]) == len(links) < MOST_LINKS:
            links.append(_without_levels(text[start : found.start()], len(links)))
            start = found.end()
    links.append(_without_levels(text[start:], len(links)))
    return _checked_chain(links)


def join_chain(links: list[str]) -> str:
    """Join links, outermost first, into a chain, which `split_chain` splits again."""
    text = links[-1]
    for link in reversed(links[:-1]):
        text = join_tokens((link, text), TAB)
    return text


def _chain_level_by_level(text: str) -> list[str]:
    links: list[str] = []
    while len(links) < MOST_LINKS and len(written := split_tokens(text, TAB)) > 1:
        link, text, *_ = written
        links.append(link)
    return _checked_chain([*links, text])


def _checked_chain(links: list[str]) -> list[str]:
    """Return the links of a chain. Raises SaveError if there are more than any counter of VASL has:
    the work grows with the square of their number."""
    if len(links) > MOST_LINKS:
        raise SaveError(f"a counter in it has more than {MOST_LINKS} traits")
    return links


def _without_levels(written: str, levels: int) -> str:
    """Return a link's text without the backslashes that its own level and the outer levels put
    before its tabs."""
    return re.sub(rf"\\{{1,{levels + 1}}}(?=\t)", "", written) if TAB in written else written
