"""Numbers as players write them, and text that any terminal can show."""


def minus(number: object) -> str:
    """A number, or a text with numbers, with a proper minus sign: "−2"."""
    return str(number).replace("-", "−")


def signed(number: int) -> str:
    """A number with its sign: "+1", "−2", "+0"."""
    return minus(f"{number:+}")


def counted(number: int, what: str) -> str:
    """A number of things: "1 unit", "12 units", "2 hexes", "3 entries"."""
    endings = {"x": "xes", "y": "ies"}
    plural = what[:-1] + endings.get(what[-1], f"{what[-1]}s")
    return f"{number} {what if number == 1 else plural}"


def printable(text: str) -> str:
    """Text from a file made fit for any terminal: unprintable characters are escaped."""
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode("ascii")
        for character in text
    )
