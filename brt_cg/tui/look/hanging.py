"""Lines with a hanging indent, as a widget."""

from textual.content import Content

from brt_cg.tui.look.lines import INDENT, Lines, hanging


class Hanging(Lines):
    """Lines with a hanging indent in any width."""

    def tell(self, text: Content, indent: int = INDENT) -> None:
        """Shows other lines."""
        lines = text.split("\n", allow_blank=True)
        self.write_by(
            lambda room: Content("\n").join(hanging(line, room.width, indent) for line in lines)
        )
