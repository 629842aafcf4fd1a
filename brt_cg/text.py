"""Numbers and lists in the form that players write, and text that any terminal can show."""

import json
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Self
from unicodedata import category

MOST_WORD, MOST_LINE = 500, 10_000  # characters of a message; a path may be long
_LONG_WORD = re.compile(rf"(\S{{{MOST_WORD}}})\S+")


def hyphens_to_minus_signs(number: object) -> str:
    """Return a number, or text with numbers, with a proper minus sign: "−2"."""
    return str(number).replace("-", "−")


def signed_text(number: int) -> str:
    """Return a number with its sign: "+1", "−2", "+0"."""
    return hyphens_to_minus_signs(f"{number:+}")


def count_text(number: int, what: str) -> str:
    """Return a number of things: "1 unit", "12 units", "2 hexes", "3 entries", "4 heroes"."""
    endings = {"x": "xes", "y": "ies"}
    plural = what[:-1] + endings.get(what[-1], f"{what[-1]}s")
    plural = f"{what}es" if what.endswith("hero") else plural
    return f"{number} {what if number == 1 else plural}"


# Invisible characters that Unicode counts as marks, letters or symbols.
_UNSEEN = re.compile(
    r"[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\ufffe\uffff"
    r"\U000e0000-\U000e0fff]"
)
SEEN = "use only visible characters"
_HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}  # controls, formats, surrogates, line separators


def is_invisible(sign: str) -> bool:
    """Whether a character is itself invisible, but may hide or reverse its neighbors. The joiners
    of emoji are included, because a name needs none."""
    return category(sign) in _HIDDEN or _UNSEEN.match(sign) is not None


def first_invisible_code_point(text: str, allowed: str = "") -> str | None:
    """Return the first invisible character of the text, in a form that players can look up
    ("U+200B"), if there is one."""
    if text.isprintable() and not _UNSEEN.search(text):
        return None
    found = (sign for sign in text if is_invisible(sign) and sign not in allowed)
    return next((f"U+{ord(sign):04X}" for sign in found), None)


def invisible_sign_problem(text: str, allowed: str = "") -> str | None:
    """Return the problem with text that has an invisible character: the character and its
    position."""
    hidden = first_invisible_code_point(text, allowed)
    return (
        f'invisible character {hidden} in "{escape_unprintable(text)[:80]}"; {SEEN}'
        if hidden
        else None
    )


def escape_character(sign: str) -> str:
    r"""Return a character as an escape: "\u200b"."""
    return sign.encode("unicode_escape").decode("ascii")


def replace_invisible(
    text: str, instead: Callable[[str], str] = escape_character, allowed: str = ""
) -> str:
    """Return text with a visible replacement for each invisible character: all output of the
    program goes through this, since old campaigns and forged mails may contain any character."""
    if first_invisible_code_point(text, allowed) is None:
        return text
    return "".join(
        instead(sign) if is_invisible(sign) and sign not in allowed else sign for sign in text
    )


def escape_unprintable(text: str) -> str:
    """Make text from a file safe for any terminal: escape invisible and unprintable characters."""
    text = replace_invisible(text)
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else escape_character(sign) for sign in text)


def truncate_long_words_and_lines(text: str) -> str:
    """Return a message in which long quotations are cut."""
    if len(text) <= MOST_WORD:
        return text
    cut = _LONG_WORD.sub(r"\1…", text)
    lines = cut.split("\n") if len(cut) > MOST_LINE else [cut]
    return "\n".join(f"{line[:MOST_LINE]}…" if len(line) > MOST_LINE else line for line in lines)


def short_json(found: object) -> str:
    """Return a value as JSON, cut if it is long."""
    text = json.dumps(found, ensure_ascii=False, default=str)
    return text if len(text) <= 80 else f"{text[:79]}…"


def quote_typed(text: str) -> str:
    """Return a word that a player typed, in quotes, cut if it is long; a path on Windows keeps its
    single backslashes."""
    return short_json(text).replace("\\\\", "\\")


def list_text(names: Iterable[object]) -> str:
    """Return the allowed values, for a message."""
    return ", ".join(map(str, names)) or "none"


def capitalize(words: str) -> str:
    """Return words with a capital letter, to begin a sentence."""
    return words[:1].upper() + words[1:]


FEW = 12  # names that a message lists
ALIKE = 0.65  # similarity from which a name is assumed to be a misspelling


def first_few_text(allowed: Sequence[str]) -> str:
    """Return the allowed answers in one line; if there are many, only the first few."""
    also = f", … ({len(allowed)} in all)" if len(allowed) > FEW else ""
    return ", ".join(allowed[:FEW]) + also


def split_at_spaces_and_commas(text: str) -> list[str]:
    """Split typed text at spaces and commas; a quoted part is kept whole."""
    found = re.findall(r'"((?:[^"]|"")+)"(?=[\s,]|$)|([^\s,]+)', text)
    return [quoted.replace('""', '"') or bare for quoted, bare in found]


def join_quoting_if_needed(texts: Iterable[str], between: str = " ") -> str:
    """Join strings so that `split_at_spaces_and_commas` can split them; those with spaces or commas
    are quoted."""
    return between.join(
        text if split_at_spaces_and_commas(text) == [text] else _quoted(text) for text in texts
    )


def normalize_spaces_and_case(text: str) -> str:
    """Return a name without capitals and extra spaces."""
    return " ".join(text.casefold().split())


def searchable_names(name: str | None, sort: str) -> tuple[str, ...]:
    """Return the names, other than its id, of a counter with a name or number: "b", "6-6-8 b",
    "6-6-8 squad b"; folded."""
    if not name or not name.strip():
        return ()
    called = (name, f"{sort.partition(' ')[0]} {name}", f"{sort} {name}")
    return tuple(dict.fromkeys(map(normalize_spaces_and_case, called)))


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


NOTE_BEGINS = "note: "  # the sentence of an entry that is a note


# --- read as players type it --------------------------------------------------------------------


class TextSlice(str):
    """A line that a player typed, or a part of it: a string that knows its beginning and end in the
    line (`at` and `end`, counted from 0), so that an error can name the place."""

    at: int
    end: int

    def __new__(cls, text: str, at: int = 0, end: int | None = None) -> Self:
        self = super().__new__(cls, text)
        self.at, self.end = at, at + len(text) if end is None else end
        return self

    def cut_and_strip(self, start: int = 0, end: int | None = None) -> "TextSlice":
        """Return a part of the slice, without the spaces around it."""
        cut = str(self)[start:end]
        bare = cut.lstrip()
        return TextSlice(bare.rstrip(), self.at + start + len(cut) - len(bare))

    def with_text(self, text: str = "") -> "TextSlice":
        """Return a slice with different text in the same place."""
        return TextSlice(text, self.at, self.end)

    def stripped_at_end(self, signs: str) -> "TextSlice":
        """Return the slice without these characters at its end."""
        return self.cut_and_strip(0, len(self.rstrip(signs)))

    def words(self) -> list["TextSlice"]:
        """Return the words of the slice, between spaces."""
        return [self.cut_and_strip(*word.span()) for word in re.finditer(r"\S+", self)]

    def split_by(self, sign: str) -> list["TextSlice"]:
        """Return the parts between separators; an empty part is left out."""
        found = [
            self.cut_and_strip(*part.span()) for part in re.finditer(f"[^{re.escape(sign)}]+", self)
        ]
        return [part for part in found if part]

    def split_at(self, sign: str) -> tuple["TextSlice", "TextSlice"]:
        """Return the parts before and after the first `sign`."""
        at = self.find(sign)
        return (
            (self.cut_and_strip(0, at), self.cut_and_strip(at + len(sign)))
            if at >= 0
            else (self.cut_and_strip(), TextSlice(""))
        )


def merge_adjacent_words(words: Sequence[str]) -> TextSlice:
    """Merge adjacent words of a line into one slice, with one space between them."""
    ends = (words[0], words[-1]) if words else ("", "")
    at, end = (bit if isinstance(bit, TextSlice) else TextSlice(bit) for bit in ends)
    return TextSlice(" ".join(words), at.at, end.end)


class NotUnderstoodError(ValueError):
    """The error for a line that is not understood: the text `found`, the reason, the strings
    `allowed` there, and the one that is probably `meant`. "HGM: no such type; did you mean HMG?";
    `more` is a sentence after it."""

    def __init__(
        self,
        found: str,
        why: object = "",
        *,
        allowed: str = "",
        meant: str | None = None,
        more: str = "",
    ) -> None:
        allowed = allowed and f"enter {allowed}"
        said = "; ".join(filter(None, (str(why), allowed, meant and f"did you mean {meant}?")))
        whole = said if said.startswith(found) else ": ".join(filter(None, (found, said)))
        super().__init__(whole + (more and f" {more}"))
        self.found, self.meant = found if isinstance(found, TextSlice) else TextSlice(found), meant

    def corrected(self, line: str) -> str:
        """Return the line with the meant text in place of the one found, unless the two differ in a
        number or the initial: it may be a different kind of thing."""
        at, end = self.found.at, self.found.end
        if self.meant is None or merge_adjacent_words(line[at:end].split()) != self.found:
            return line
        if _numbers_and_initial(self.meant) != _numbers_and_initial(self.found):
            return line
        return line[:at] + self.meant + line[end:]


def _numbers_and_initial(text: str) -> tuple[str, str]:
    """Return the digits in the text, and its first letter."""
    letters = (sign.lower() for sign in text if sign.isalpha())
    return "".join(filter(str.isdigit, text)), next(letters, "")


def nearest_name(text: str, names: Iterable[str]) -> str | None:
    """Return the name that is most like the text, ignoring case; None if none is similar. A common
    beginning ("R-") does not count; a short name must begin with the same letter."""
    from difflib import get_close_matches  # imported here: only typing errors need it

    known = {name.casefold(): name for name in names}
    signs = zip(text.casefold(), *known, strict=False)
    same = len([*takewhile(lambda at: len({*at}) == 1, signs)])
    short = text[:1].casefold() if len(text) < 5 else ""
    known = {name[same:]: known[name] for name in known if name.startswith(short)}
    close = get_close_matches(text.casefold()[same:], known, 1, ALIKE)
    return known[close[0]] if close else None


def unknown_name_error(
    known: Iterable[str], word: str, why: str, listing: str = ""
) -> NotUnderstoodError:
    """Return the error for an unknown word, with the most similar known one; `why` names the word.
    If there is a similar word, a long list of the others is left out; `listing` is the command that
    shows it."""
    names = [*known]
    meant, many = nearest_name(word, names), len(names) > FEW
    allowed = "" if meant and many else first_few_text(names) or "none"
    more = f"({listing} lists them)" if listing and many else ""
    return NotUnderstoodError(
        merge_adjacent_words([word]).with_text(), why, allowed=allowed, meant=meant, more=more
    )


def parse_whole_number(text: str) -> int | None:
    """Return the whole number that the text gives: at most nine digits, perhaps with a proper minus
    sign."""
    written = text.strip().replace("−", "-")
    return int(written) if re.fullmatch(r"[+-]?[0-9]{1,9}", written) else None


def halves_text(size: float) -> str:
    """Return a number of halves in words: "2½", "½", "0"."""
    whole, half = divmod(int(size * 2), 2)
    return f"{whole or ''}½" if half else str(whole)


def parse_halves(text: str) -> float | None:
    """Return the number that the text gives, in wholes or halves: "10", "10½", "10.5"; None for any
    other text."""
    typed = text.strip().replace("½", ".5")
    whole, half = typed.removesuffix(".5"), typed.endswith(".5")
    number = 0 if half and not whole else parse_whole_number(whole)
    return None if number is None else number + half / 2


def split_assignment(text: str, how: str = "FIELD=VALUE") -> tuple[str, str]:
    """Return the name and the value of "NAME=VALUE". Raises NotUnderstoodError, with the correct
    form."""
    name, equals, value = text.partition("=")
    if not equals:
        raise NotUnderstoodError(text, f"write {how}")
    return name.strip(), value


_SPAN = re.compile(r"([0-9]{1,4})-([0-9]{1,4})|(/?[0-9]{0,2})([A-Za-z])[-–]([A-Za-z])")
# One code, or several in a row.
_RUNS = {
    digits: re.compile(rf"/?[0-9]{{1,{digits}}}[a-hjkmnp-z]([-–][a-hjkmnp-z])?", re.IGNORECASE)
    for digits in (1, 2)
}


def expand_span(word: str) -> list[str]:
    """Return the members of a range, both ends included: "4-7" numbers, "A-C" letters, "4a-d"
    codes; any other word is its own only member, and a backward range has none."""
    found = _SPAN.fullmatch(word)
    if found is None:
        return [str(word)]
    low, high, of, first, last = found.groups()
    if low is not None:
        return [str(number) for number in range(int(low), int(high) + 1)]
    last = last.upper() if first.isupper() else last.lower()
    signs = map(chr, range(ord(first), ord(last) + 1))
    return [of + sign for sign in signs if not of or _RUNS[2].fullmatch(of + sign)]


def split_and_expand_codes(word: TextSlice, digits: int = 1) -> list[str]:
    """Return the codes in a word. A code is a number of at most `digits` digits and a letter other
    than i, l and o, with a slash before it for the opponent's counters: "1a1b4k" is three codes,
    "4a-d" is four. Raises NotUnderstoodError for anything else."""
    found, at = list[str](), 0
    while at < len(word):
        run = _RUNS[digits].match(word, at)
        here = expand_span(run[0]) if run is not None else []
        if run is None or not here:
            raise NotUnderstoodError(word.cut_and_strip(at), "codes look like 4a, or 4a-d")
        found, at = found + here, run.end()
    return found


# --- commands ---------------------------------------------------------------------------------


def shell_quote(word: object) -> str:
    """Return a word of a command, quoted so that a player can paste it: into a POSIX shell, or on
    Windows into cmd and PowerShell, which both know double quotes."""
    text = str(word)
    if os.name != "nt":
        return shlex.quote(text)
    if text and not set(text) & set(" &|<>^()[]{}%;,'`$=!+~#@\""):
        return text
    return f"'{text}'" if {"$", "`"} & {*text} and "'" not in text else f'"{text}"'


def shell_words(line: str) -> list[str]:
    """Return the words of a command line. On Windows a backslash is an ordinary character, as in a
    path. Raises ValueError for a quote that is not closed."""
    lexer = shlex.shlex(line, posix=True)
    lexer.whitespace_split, lexer.commenters = True, ""
    if os.name == "nt":
        lexer.escape = ""
    return list(lexer)


def install_command(extra: str) -> str:
    """Return the command that installs an extra, in quotes that every shell knows: for pipx and uv
    tool, whose environments a plain pip does not reach, their own commands."""
    wanted, here = f'"brt-cg[{extra}]"', Path(sys.prefix)
    if (here / "pipx_metadata.json").exists():
        return f"pipx runpip brt-cg install {wanted}"
    if (here / "uv-receipt.toml").exists():
        return f"uv pip install --python {shell_quote(sys.executable)} {wanted}"
    return f"pip install {wanted}"


# --- keys ---------------------------------------------------------------------------------------

KEYS_IN_WORDS = {  # keys that are not written by their Textual names
    **{"question_mark": "?", "slash": "/", "plus": "+", "minus": "-", "full_stop": "."},
    **{"colon": ":", "comma": ",", "semicolon": ";", "equals_sign": "=", "asterisk": "*"},
    **{"less_than_sign": "<", "greater_than_sign": ">", "exclamation_mark": "!"},
    **{"escape": "Esc", "up": "↑", "down": "↓", "left": "←", "right": "→"},
    **{"pageup": "PgUp", "pagedown": "PgDn", "upper_u": "U"},
}


def key_text(key: str) -> str:
    """Return a key as written on the screen: "?", "Ctrl+P", "Enter"."""
    *modifiers, last = key.split("+") if len(key) > 1 else [key]
    last = KEYS_IN_WORDS.get(last, last)
    if last.islower() and (modifiers or len(last) > 1):
        last = last.capitalize()
    return "+".join([*(modifier.capitalize() for modifier in modifiers), last])
