"""Files as accidents and strangers leave them: bytes lost, values that are strange, parts of a
structure in the wrong place."""

import io
import json
import re
import warnings
import zipfile
from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

STRANGE: tuple[Any, ...] = (
    *(None, True, -1, 10**30, 1.5, float("inf"), "", "N21", "ZZ99", "\0", "é" * 300, "=1+1"),
    *([], {}, [[]], {"x": 1}, ["N21", "N21"], "m-sq-1", "eliminated", "N21:1", "off_map", "\ud800"),
)


WORDS = (
    "",
    "-1",
    "9" * 30,
    "9" * 5000,
    "é",
    "\0",
    "\x1b",
    '"',
    "[",
    "}",
    "N21",
    "m-sq-1",
    "nan",
    "1e999",
)


def spoiled(content: bytes, random: Random) -> bytes:
    """Bytes of which some are lost, doubled, changed, or the rest cut off."""
    for _ in range(random.randint(1, 4)):
        at, length = random.randrange(len(content) + 1), random.randint(1, 40)
        rest = content[at + length :]
        content = content[:at] + random.choice(
            (rest, b"", random.randbytes(length) + rest, content[at : at + length] * 2 + rest)
        )
    return content


def misfilled(document: Any, random: Random) -> Any:
    """JSON in which some values are strange ones, or are gone, or have strange names."""
    document = json.loads(json.dumps(document))
    for _ in range(random.randint(1, 4)):
        holder = random.choice([*_holders(document)])
        if isinstance(holder, list) and holder:
            holder[random.randrange(len(holder))] = strange(random)
        elif isinstance(holder, dict) and holder:
            name = random.choice([*holder])
            value = holder.pop(name)
            if random.random() < 0.7:
                holder[name] = strange(random)
            elif random.random() < 0.5:
                holder[str(strange(random))] = value
    return document


def strange(random: Random) -> Any:
    """A strange value of its own, that may be changed in its turn."""
    return deepcopy(random.choice(STRANGE))


def _holders(found: Any) -> Iterator[Any]:
    if isinstance(found, dict | list):
        yield found
        for value in found.values() if isinstance(found, dict) else found:
            yield from _holders(value)


def retokened(text: str, random: Random, between: str = r"([\s\x1b;,/|=\[\]{}]+)") -> str:
    """A text in which some of its words are strange ones, are gone, doubled or exchanged."""
    words = re.split(between, text)
    for _ in range(random.randint(1, 4)):
        at, other = random.randrange(len(words)), random.randrange(len(words))
        change = random.randrange(4)
        if change == 0:
            words[at] = random.choice(WORDS)
        elif change == 1:
            words[at] = ""
        elif change == 2:
            words[at] *= random.choice((2, 3, 500))
        else:
            words[at], words[other] = words[other], words[at]
    return "".join(words)


def repacked(content: bytes, random: Random) -> bytes:
    """A ZIP of which a member is gone, doubled, spoiled, unlike its name, or not packed."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = [(name, archive.read(name)) for name in archive.namelist()]
    at = random.randrange(len(members))
    name, inside = members[at]
    change = random.randrange(5)
    if change == 0:
        del members[at]
    elif change == 1:
        members.append((name, spoiled(inside, random)))
    elif change == 2:
        members[at] = (random.choice(("../" + name, name.upper(), "x\0", "x" * 300)), inside)
    elif change == 3:
        other = random.randrange(len(members))
        members[at] = (name, members[other][1])
    else:
        text = inside.decode("utf-8", "surrogateescape")
        changed = retokened(text, random, r"([\s<>\"/=]+)")
        members[at] = (name, changed.encode("utf-8", "surrogateescape"))
    packed = io.BytesIO()
    with (
        warnings.catch_warnings(),
        zipfile.ZipFile(packed, "w", random.choice((0, 8, 12, 14))) as archive,
    ):
        warnings.simplefilter("ignore")  # of a name that is there twice
        for each in members:
            archive.writestr(*each)
    return packed.getvalue()
