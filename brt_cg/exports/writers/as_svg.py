"""SVG: a document that is a drawing."""

from html import escape

from brt_cg.exports.blocks import Document


def write_svg(document: Document) -> str:
    """Return the drawing, with the header as its description."""
    head = document.head()
    words = escape(" · ".join(filter(None, (head.words, head.journal_hash_text))))
    title = "</title>"
    return document.picture.replace(title, f"{title}<desc>{words}</desc>", 1) + "\n"
