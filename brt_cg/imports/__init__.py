"""Files that come in, one module per format: each gives what a command or a driver takes."""

from brt_cg.imports.state_file import read_state, source_of

__all__ = ["read_state", "source_of"]
