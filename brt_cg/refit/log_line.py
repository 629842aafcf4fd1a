"""A sentence of the log, which can be read without the tools that play a paragraph."""

from brt_cg.immutable import immutable
from brt_cg.model import Side


@immutable
class LogLine:
    """One plain sentence of the log: its subjects (ids), and the side whose secret it is, if
    any."""

    text: str
    about: tuple[str, ...] = ()
    secret: Side | None = None
