"""Every command by the kind of its journal entry."""

from brt_cg.commands import Carry
from brt_cg.commands.adopt import adopt
from brt_cg.commands.aid import keep_aid
from brt_cg.commands.allotting import allot
from brt_cg.commands.buying import buy, commit, discard, void
from brt_cg.commands.edit import edit
from brt_cg.commands.new import create
from brt_cg.commands.note import note
from brt_cg.commands.reinforce import reinforce
from brt_cg.commands.rulings import rule

COMMANDS: dict[str, Carry] = {
    "new": create,
    "import": adopt,
    "reinforce": reinforce,
    "edit": edit,
    "ruling": rule,
    "aid": keep_aid,
    "note": note,
    "buy": buy,
    "void": void,
    "commit": commit,
    "discard": discard,
    "allot": allot,
}
