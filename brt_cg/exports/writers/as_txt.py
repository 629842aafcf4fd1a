"""Plain text, for a document that another command reads back."""

from brt_cg.exports.blocks import Document, printable


def write(document: Document) -> str:
    return "\n".join([f"# {document.title}", *map(printable, document.data["text"])]) + "\n"
