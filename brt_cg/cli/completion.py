"""What a shell can complete and what `man` shows, both read off the parser of the command line.

It runs when the wheel is built, with nothing installed but what the build asks for. bash and zsh
are shtab's; fish and PowerShell, which it does not know, are written here.
"""

import argparse
from pathlib import Path

from brt_cg.cli import guide, place

FILES = (Path, place)  # the types of arguments that are completed with files
SCRIPTS = {
    "bash": "brt-cg.bash",
    "zsh": "_brt-cg",
    "fish": "brt-cg.fish",
    "powershell": "brt-cg.ps1",
}  # the file of each shell, in the wheel and of `completion`
EXIT_STATUS = (
    ("0", "done"),
    ("1", "the audit found something"),
    ("2", "refused; nothing was changed"),
    ("3", "an answer is missing"),
)


def script(parser: argparse.ArgumentParser, shell: str) -> str:
    """The completion of a shell. Raises ModuleNotFoundError where shtab is needed and missing."""
    if shell == "fish":
        return _fish(parser)
    if shell == "powershell":
        return _powershell(parser)
    return _by_shtab(parser, shell)


def commands_of(parser: argparse.ArgumentParser) -> dict[str, tuple[str, argparse.ArgumentParser]]:
    """The commands, each with its one line of help and its parser."""
    (commands,) = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    helps = {choice.dest: choice.help or "" for choice in commands._get_subactions()}
    return {name: (helps[name], command) for name, command in commands.choices.items()}


def _arguments(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """The arguments and options, the commands themselves left out."""
    return [a for a in parser._actions if not isinstance(a, argparse._SubParsersAction)]


def _choices(action: argparse.Action) -> list[str]:
    return [str(choice) for choice in action.choices or ()]


def _by_shtab(parser: argparse.ArgumentParser, shell: str) -> str:
    import shtab

    for _, command in commands_of(parser).values():
        for action in _arguments(command):
            if action.type in FILES:
                action.complete = shtab.FILE  # type: ignore[attr-defined]
    return shtab.complete(parser, shell=shell)


# --- fish -----------------------------------------------------------------------------------------


def _fish(parser: argparse.ArgumentParser) -> str:
    lines = ["# completion of brt-cg for fish", "complete -c brt-cg -f"]
    first = "complete -c brt-cg -n __fish_use_subcommand"
    lines += [first + _fish_action(action) for action in _arguments(parser)]
    for name, (text, _) in commands_of(parser).items():
        lines.append(f"{first} -a {name} -d {_fish_quoted(text)}")
    for name, (_, command) in commands_of(parser).items():
        after = f"complete -c brt-cg -n '__fish_seen_subcommand_from {name}'"
        words = (_fish_action(action) for action in _arguments(command))
        lines += [after + word for word in words if word]
    return "\n".join(lines) + "\n"


def _fish_action(action: argparse.Action) -> str:
    """The words of `complete` for an argument; none for one that only the player knows."""
    words = [
        f" -{'l' if option.startswith('--') else 's'} {option.lstrip('-')}"
        for option in action.option_strings
    ]
    if action.option_strings and action.nargs != 0:
        words.append(" -r")
    if action.type in FILES:
        words.append(" -F")
    if action.choices:
        words.append(f" -a {_fish_quoted(' '.join(_choices(action)))}")
    if words and action.help:
        words.append(f" -d {_fish_quoted(action.help)}")
    return "".join(words)


def _fish_quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


# --- PowerShell -----------------------------------------------------------------------------------

# Where it offers nothing, PowerShell offers files.
_POWERSHELL = """# completion of brt-cg for PowerShell
Register-ArgumentCompleter -Native -CommandName brt-cg -ScriptBlock {{
    param($word, $ast, $cursor)
    $offers = @{{
{offers}
    }}
    $before = @($ast.CommandElements | Where-Object {{ $_.Extent.EndOffset -lt $cursor }} |
        ForEach-Object {{ $_.ToString() }})
    $last = $before[-1]
    $of = if ($before.Count -lt 2) {{ '' }} else {{ $before[1] }}
    $at = $of
    if ($before.Count -ge 3 -and $offers.ContainsKey("$of $last")) {{ $at = "$of $last" }}
    foreach ($offer in $offers[$at]) {{
        if ($offer[0] -like "$word*" -and ($word -or $at -ne $of -or $offer[0] -notlike '-*')) {{
            [System.Management.Automation.CompletionResult]::new(
                $offer[0], $offer[0], 'ParameterValue', $offer[1])
        }}
    }}
}}
"""


def _powershell(parser: argparse.ArgumentParser) -> str:
    """Offers by what stands before: nothing, a command, or a command and its option."""
    commands = commands_of(parser)
    offers = {"": [(name, text) for name, (text, _) in commands.items()] + _options(parser)}
    for name, (_, command) in commands.items():
        offers[name] = _options(command)
        for action in _arguments(command):
            values = [(choice, action.help or choice) for choice in _choices(action)]
            if not action.option_strings:
                offers[name] += values
            elif values:
                offers |= {f"{name} {option}": values for option in action.option_strings}
    return _POWERSHELL.format(offers="\n".join(_offer(at, words) for at, words in offers.items()))


def _options(parser: argparse.ArgumentParser) -> list[tuple[str, str]]:
    return [(o, a.help or o) for a in _arguments(parser) for o in a.option_strings]


def _offer(at: str, words: list[tuple[str, str]]) -> str:
    pairs = ", ".join(f"@({_ps_quoted(word)}, {_ps_quoted(text)})" for word, text in words)
    # The comma in front keeps a single pair a list of pairs.
    return f"        {_ps_quoted(at)} = @({',' if len(words) == 1 else ''}{pairs})"


def _ps_quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


# --- the man page ---------------------------------------------------------------------------------


def manual(parser: argparse.ArgumentParser, version: str) -> str:
    """The man page, in roff."""
    lines = [f'.TH BRT-CG 1 "" "brt-cg {version}"', ".SH NAME", f"brt\\-cg \\- {_about(parser)}"]
    lines += [".SH SYNOPSIS", ".B brt\\-cg", "[COMMAND] [FILE] ...", ".SH DESCRIPTION"]
    lines += [_roff(f"{parser.description} {parser.epilog}"), ".SH OPTIONS"]
    lines += _entries(parser)
    lines.append(".SH COMMANDS")
    for name, (text, command) in commands_of(parser).items():
        usage = " ".join(command.format_usage().split()).removeprefix("usage: ")
        # The play aids read their own words.
        usage = usage if command.add_help else f"brt-cg {name} ..."
        lines += [f".SS {_roff(name)}", _roff(usage), ".PP", _roff(text), *_entries(command)]
        if text := guide(command):
            lines += [".PP", ".nf", *map(_roff, text.splitlines()), ".fi"]
    lines.append(".SH EXIT STATUS")
    for status, meaning in EXIT_STATUS:
        lines += [".TP", f".B {status}", _roff(meaning)]
    return "\n".join(lines) + "\n"


def _about(parser: argparse.ArgumentParser) -> str:
    text = (parser.description or "").rstrip(".")
    return _roff(text[:1].lower() + text[1:])


def _entries(parser: argparse.ArgumentParser) -> list[str]:
    """An entry for each argument of which more than its name is to be told."""
    lines: list[str] = []
    for action in _arguments(parser):
        if action.help:
            names = ", ".join(action.option_strings)
            choices = "{" + ",".join(_choices(action)) + "}" if action.choices else ""
            value = action.metavar or choices or action.dest.upper()
            name = names or value
            if names and action.nargs != 0:
                name = f"{names} {value}"
            lines += [".TP", f".B {_roff(str(name))}", _roff(action.help)]
    return lines


def _roff(text: str) -> str:
    plain = text.replace("\\", "\\e").replace("-", "\\-")
    plain = "".join(char if char.isascii() else f"\\[u{ord(char):04X}]" for char in plain)
    return "\\&" + plain if plain.startswith((".", "'")) else plain
