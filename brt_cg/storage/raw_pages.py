"""The raw pages of a campaign file, read without SQLite: for a file whose trees are broken.

A row of the journal is recognized by its shape, wherever it is: a number and three strings, the
second of which is a hash. So a row is found even if nothing leads to it. Its hash, checked
elsewhere, shows whether it is unaltered.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from brt_cg.storage.sqlite import decode_leniently

RawRow = tuple[int, str, str, str]  # seq, payload, hash, said
INTERIOR, LEAF = 5, 13  # the kinds of pages that the tree of a table is made of
DEEPEST = 20  # no tree has more levels
USUAL, LEAST = 4096, 480  # bytes of a page if the file does not say; of a page's usable part
HASH = 64
# A row's header: its own length; nothing for the number, which is the row's; a text, one of 64
# bytes, and a text.
_HEAD = re.compile(
    rb"([\x05-\x0b])\x00([\x80-\xff]{0,3}[\x00-\x7f])\x81\x0d([\x80-\xff]{0,3}[\x00-\x7f])"
)


class CorruptPageError(ValueError):
    """The error for bytes that are not a row, or for a page with bytes that nothing accounts
    for."""


class RawPages:
    """The pages of a file."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        told = _number(data[16:18]) if len(data) > LEAST else 0
        told = 65536 if told == 1 else told
        self._size = told if told >= 512 and not told & (told - 1) else USUAL
        self._usable = self._size - data[20] if len(data) > LEAST else self._size
        if self._usable < LEAST:
            self._usable = self._size

    @property
    def pages_present_and_expected(self) -> tuple[int, int] | None:
        """The number of pages present, and the number that the file claims to have, if that is
        higher."""
        there, told = len(self._data) // self._size, _number(self._data[28:32])
        return (there, told) if told > there else None

    # --- rows -------------------------------------------------------------------------------------

    def row_numbers_and_offsets(self) -> Iterator[tuple[int, int]]:
        """Yield the number and the offset of each row that may belong to the journal."""
        for head in _HEAD.finditer(self._data):
            if head[1][0] == len(head[0]):
                yield from self._before(head.start(), _length(head))

    def _before(self, head: int, length: int) -> Iterator[tuple[int, int]]:
        """Yield the number and the offset of each row whose content may begin at a place."""
        told = _written(length)
        for digits in range(1, 10):
            begins = head - digits - len(told)
            if begins // self._size != head // self._size:
                return
            if self._data.startswith(told, begins):
                number, end = self._varint(begins + len(told))
                if end == head:
                    yield number, begins

    def row_at(self, begins: int) -> RawRow:
        """Return the row that begins at an offset. Raises CorruptPageError if a part of the row is
        gone."""
        length, at = self._varint(begins)
        number, at = self._varint(at)
        content = self._content(at, length)
        head = _HEAD.match(content)
        if head is None or len(content) != length:
            raise CorruptPageError
        first = len(head[0])
        second = first + _text(head[2])
        third = second + HASH
        parts = (content[first:second], content[second:third], content[third:])
        payload, digest, said = map(decode_leniently, parts)
        return number, payload, digest, said

    def _content(self, at: int, length: int) -> bytes:
        """Return the content of a row; its end may be in separate pages."""
        here = self._local(length)
        parts, left = [self._data[at : at + here]], length - here
        link = at + here
        while left > 0:
            page = _number(self._data[link : link + 4])
            link = (page - 1) * self._size
            part = self._data[link + 4 : link + self._usable][:left]
            if page < 2 or not part:
                raise CorruptPageError
            parts.append(part)
            left -= len(part)
        return b"".join(parts)

    def _local(self, length: int) -> int:
        """Return the size of the part of a row's content that is in the page of the row."""
        most = self._usable - 35
        if length <= most:
            return length
        least = (self._usable - 12) * 32 // 255 - 23
        some = least + (length - least) % (self._usable - 4)
        return some if some <= most else least

    # --- the end of a tree ------------------------------------------------------------------------

    def last_row_number(self, root: int) -> int:
        """Return the number of the last row of the table whose tree begins at a page; 0 if it has
        none. Raises CorruptPageError if a page on the way there is damaged."""
        for _ in range(DEEPEST):
            kind, keys = self._sound(root)
            if kind == LEAF:
                return keys[-1] if keys else 0
            right = (root - 1) * self._size + 8
            root = _number(self._data[right : right + 4])
        raise CorruptPageError

    def _sound(self, page: int) -> tuple[int, list[int]]:
        """Return the kind of a page, and the numbers in it. Raises CorruptPageError unless each of
        its bytes is accounted for, and the numbers ascend."""
        start = (page - 1) * self._size
        if page < 2 or start + self._size > len(self._data):
            raise CorruptPageError
        data = self._data[start : start + self._usable]
        kind, count, begins = data[0], _number(data[3:5]), _number(data[5:7]) or 65536
        first = {INTERIOR: 12, LEAF: 8}.get(kind, self._size)
        if first + 2 * count > begins:
            raise CorruptPageError
        cells = [_number(data[at : at + 2]) for at in range(first, first + 2 * count, 2)]
        keys, spans = [], [*_free(data)]
        for at in cells:
            key, size = self._cell(start + at, kind)
            keys.append(key)
            spans.append((at, at + size))
        spans.sort()
        used = sum(end - at for at, end in spans) + data[7]
        overlap = any(end > at for (_, end), (at, _) in pairwise(spans))
        outside = spans and (spans[0][0] < begins or spans[-1][1] > self._usable)
        if overlap or outside or used != self._usable - begins or keys != sorted({*keys}):
            raise CorruptPageError
        return kind, keys

    def _cell(self, at: int, kind: int) -> tuple[int, int]:
        """Return the number of a cell, and the number of bytes that it takes."""
        if kind == INTERIOR:
            key, end = self._varint(at + 4)
            return key, end - at
        length, end = self._varint(at)
        key, end = self._varint(end)
        here = self._local(length)
        return key, max(4, end - at + here + (4 if here < length else 0))

    def _varint(self, at: int) -> tuple[int, int]:
        """Return a number of one to nine bytes, and its end. Raises CorruptPageError at the file's
        end."""
        value = 0
        for count, byte in enumerate(self._data[at : at + 9], 1):
            if count == 9:
                return _signed(value << 8 | byte), at + 9
            value = value << 7 | byte & 127
            if byte < 128:
                return value, at + count
        raise CorruptPageError


def _free(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield the parts of a page that are marked as free. Raises CorruptPageError."""
    at, before = _number(data[1:3]), 0
    while at:
        if not before < at <= len(data) - 4:
            raise CorruptPageError
        before = at + max(4, _number(data[at + 2 : at + 4]))
        yield at, before
        at = _number(data[at : at + 2])


def _length(head: re.Match[bytes]) -> int:
    return len(head[0]) + _text(head[2]) + HASH + _text(head[3])


def _text(kind: bytes) -> int:
    """Return the bytes of a text value, whose kind is given in the header of the row."""
    value = 0
    for byte in kind:
        value = value << 7 | byte & 127
    return max(0, value - 13) // 2


def _written(number: int) -> bytes:
    digits = [number & 127]
    while number := number >> 7:
        digits.append(number & 127 | 128)
    return bytes(reversed(digits))


def _signed(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value


def _number(data: bytes) -> int:
    return int.from_bytes(data, "big")
