"""The width of text in a drawing, in the metrics of Helvetica, which Arial and Liberation Sans
share. Other fonts that may be used (Segoe UI in a browser, Libertinus in a PDF) are no wider."""

# Widths in thousandths of the size of the letters, by letter (Adobe's font metrics).
_BY_WIDTH = {
    191: "'",
    222: "ijl’",
    278: " !,./:;I[\\]ft·",
    333: "()-`r",
    350: "•",
    389: "*",
    469: "^",
    500: "Jcksvxyz",
    556: "#$0123456789?L_abdeghnopqu–",
    584: "+<=>~−×",
    611: "FTZ",
    667: "&ABEKPSVXY",
    722: "CDHNRUw",
    778: "GOQ",
    833: "Mm",
    889: "%",
    944: "W",
    1000: "→—",
    1015: "@",
}
_WIDTHS = {letter: width for width, letters in _BY_WIDTH.items() for letter in letters}
WIDEST = 1000  # of any other letter


def text_width(words: str, size: float) -> float:
    """Return the width of text in units of its font size; any unknown character is assumed to be
    wide."""
    whole = sum(_WIDTHS.get(letter, WIDEST) for letter in words)
    return whole * size / 1000
