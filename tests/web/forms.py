"""The forms of a plain page."""

from html.parser import HTMLParser


class Forms(HTMLParser):
    """The forms of a page: the hidden fields of each, and the words of its button."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[dict[str, str], str]] = []
        self._fields: dict[str, str] = {}
        self._is_button = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: found or "" for name, found in attrs}
        if tag == "form":
            self._fields = {}
        elif tag == "input" and given.get("type") == "hidden":
            self._fields[given["name"]] = given["value"]
        self._is_button = tag == "button"

    def handle_data(self, data: str) -> None:
        if self._is_button:
            self.found.append((self._fields, data))
            self._is_button = False


# The first words of the buttons that lead on: the dice first, then what the question offers.
LEADS_ON = ("Yes", "Roll on", "Continue", "Default", "")
# The first words of those that do something else.
BESIDE = ("Answer", "Buy", "Keep", "Drop", "Void", "Undo", "Redo", "Agree", "Decline")
BESIDE += ("Withdraw", "Write", "Tell me", "Do not tell me", "See", "Remove", "Choose")


def preferred(words: list[str]) -> int | None:
    """The number of the button that continues: the dice first, then the first answer; one that is
    folded away has no words."""
    for start in LEADS_ON:
        for at, word in enumerate(words):
            if word and word.startswith(start) and not word.startswith(BESIDE):
                return at
    return None
