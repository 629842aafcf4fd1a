"""VASSAL's nested sequences: tokens with a delimiter between them.

A delimiter after a backslash belongs to its token, and single quotes around a token are removed. A
token may hold a whole sequence with the same delimiter, and so on: n levels deep there are n
backslashes before each delimiter. Versions differ in what they quote, so unchanged tokens are
written back exactly as they were.
"""

import re
from collections.abc import Iterable

TAB = "\t"  # the delimiter between the links of a chain


def raw_tokens(text: str, delimiter: str) -> list[str]:
    """The tokens of a sequence, outermost level only, as written."""
    found: list[str] = []
    start = search_from = 0
    while (at := text.find(delimiter, search_from)) >= 0:
        search_from = at + 1
        if not (at and text[at - 1] == "\\"):
            found.append(text[start:at])
            start = at + 1
    found.append(text[start:])
    return found


def plain(raw: str, delimiter: str) -> str:
    """The contents of a token."""
    token = raw.replace("\\" + delimiter, delimiter)
    quoted = len(token) > 1 and token[0] == token[-1] == "'"
    return token[1:-1] if quoted else token


def raw(token: str, delimiter: str) -> str:
    """A token as written in a sequence."""
    escaped = token.replace(delimiter, "\\" + delimiter)
    in_quotes = len(token) > 1 and token[0] == token[-1] == "'"
    # Older readers expect quotes when a backslash is at the end, newer ones at the beginning.
    risky = token[:1] == "\\" or token[-1:] == "\\" or in_quotes
    return f"'{escaped}'" if risky else escaped


def tokens(text: str, delimiter: str) -> list[str]:
    """The tokens of a sequence, outermost level only."""
    return [plain(token, delimiter) for token in raw_tokens(text, delimiter)]


def sequence(parts: Iterable[str], delimiter: str) -> str:
    """Joins tokens to a sequence, which `tokens` splits again."""
    return delimiter.join(raw(part, delimiter) for part in parts)


def chain(text: str) -> list[str]:
    """The links of a chain, outermost first: each is a token whose sibling is the rest of the
    chain. A piece holds its traits, and their states, in this way."""
    if "'" in text:
        return _chain_level_by_level(text)
    links: list[str] = []
    start = 0
    for found in re.finditer(r"(\\*)\t", text):
        # With more backslashes than there are levels, the tab is part of the link's text.
        if len(found[1]) == len(links):
            links.append(_without_levels(text[start : found.start()], len(links)))
            start = found.end()
    links.append(_without_levels(text[start:], len(links)))
    return links


def chained(links: list[str]) -> str:
    """Joins links, outermost first, to a chain, which `chain` splits again."""
    text = links[-1]
    for link in reversed(links[:-1]):
        text = sequence((link, text), TAB)
    return text


def _chain_level_by_level(text: str) -> list[str]:
    links: list[str] = []
    while len(written := tokens(text, TAB)) > 1:
        link, text, *_ = written
        links.append(link)
    return [*links, text]


def _without_levels(written: str, levels: int) -> str:
    """A link's text without the backslashes that its own and the outer levels put before its
    tabs."""
    return re.sub(rf"\\{{1,{levels + 1}}}(?=\t)", "", written) if TAB in written else written
