"""What the build makes itself: the shells' completions, the man page, the description for an index.

They are read off the parser of the command line and off the README, so that neither can be stale.
"""

import re
import shutil
import sys
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

CHECKOUT = Path(__file__).resolve().parent
# Where shells and `man` look, below the prefix. PowerShell looks nowhere: `completion` prints it.
SHARED = {
    "brt-cg.bash": "share/bash-completion/completions/brt-cg",
    "_brt-cg": "share/zsh/site-functions/_brt-cg",
    "brt-cg.fish": "share/fish/vendor_completions.d/brt-cg.fish",
    "brt-cg.1": "share/man/man1/brt-cg.1",
}


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the completions and the man page to the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        sys.path.insert(0, str(CHECKOUT))
        from brt_cg import __version__
        from brt_cg.cli.completion import completion_script, man_page
        from brt_cg.cli.parser import SCRIPTS, command_line_parser

        self.made = Path(mkdtemp())
        written = {
            SCRIPTS[shell]: completion_script(command_line_parser(), shell) for shell in SCRIPTS
        }
        for name, text in (
            written | {"brt-cg.1": man_page(command_line_parser(), __version__)}
        ).items():
            made = self.made / name
            made.write_text(text, "utf-8", newline="\n")  # shells read no other line ends
            if name in written:
                build_data["force_include"][str(made)] = f"brt_cg/_data/completions/{name}"
            if name in SHARED:
                build_data["shared_data"][str(made)] = SHARED[name]

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        shutil.rmtree(self.made)


class CustomMetadataHook(MetadataHookInterface):
    """The README as a package index shows it: without the pictures, since an index
    knows no files of the checkout."""

    def update(self, metadata: dict[str, Any]) -> None:
        text = (CHECKOUT / "README.md").read_text("utf-8")
        text = re.sub(r"^!\[(.*?)\]\(\.pictures/.*?\)\n+", "", text, flags=re.MULTILINE)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
