"""Plain text, for a document that another command reads back."""

from brt_cg.exports.blocks import Document, printable_line


def write_txt(document: Document) -> str:
    return "\n".join([f"# {document.title}", *map(printable_line, document.data["text"])]) + "\n"
