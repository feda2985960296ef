"""The parser: the table of commands as typer's, and the only file that knows typer.

A line is parsed with the options of its own command alone: no other command is built, none of their modules imported.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption
from typer.exceptions import TyperException

from symparams.cli.commands import COMMANDS, Command
from symparams.cli.options import ROOT, Option, as_flag
from symparams.errors import OptionError
from symparams.formats.options import RENAMED
from symparams.records import frozen

PROGRAM = "symparams"
HELP = "Derive the parameter count of a transformer, step by step and exactly."
EPILOG = "A TARGET is a family (bloom), a published model (gpt2), a config.json or its folder, - for a config on standard \
input, a model on the Hugging Face hub (hf:OWNER/NAME, hf:OWNER/NAME@REV), or your own architecture in a Python file, which \
symparams executes (mine.py, mine.py:NAME). 'symparams COMMAND --help' lists the options of a command."
# Other spellings of an option: American, or from before it was renamed.
SPELLINGS = {"--utilization": "--utilisation"} | {as_flag(old): as_flag(new) for old, new in RENAMED.items()}
EAGER: Mapping[str, Any] = {"is_eager": True, "expose_value": False}
PLAIN: Mapping[str, Any] = {"rich_markup_mode": None, "add_help_option": False}


@frozen
class Parsed:
    """A command and what was given for its options, by their names."""

    command: str
    given: Mapping[str, Any]


class Said(Exception):  # noqa: N818 - no error: an answer that ends the parsing, the help or the version
    """The text of the help or the version, printed instead of running a command."""


def parse(arguments: Sequence[str]) -> Parsed | str:
    """The command that a line names, or the text that it asks for itself; OptionError for a line that is wrong."""
    arguments = [SPELLINGS.get(argument, argument) for argument in arguments]
    try:
        with _Root().make_context(PROGRAM, [*arguments] or ["--help"]) as context:
            parsed = context.command.invoke(context)
    except Said as answer:
        return str(answer)
    except TyperException as error:
        from symparams.cli.mistakes import mistake, respelled

        if (line := respelled(arguments)) != arguments:
            return parse(line)
        raise OptionError(mistake(error, arguments)) from None
    assert isinstance(parsed, Parsed)
    return parsed


class _Root(TyperGroup):
    """All commands, each built from its line of the table when it is asked for."""

    def __init__(self) -> None:
        super().__init__(name=PROGRAM, help=HELP, epilog=EPILOG, params=_root_options(), **PLAIN)

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> TyperCommand | None:
        command = COMMANDS.get(cmd_name)
        return _build(cmd_name, command) if command else None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            from symparams.cli.mistakes import unknown_command

            raise OptionError(unknown_command(args))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The commands by what one wants, each with the whole of its summary."""
        for group in dict.fromkeys(command.group for command in COMMANDS.values()):
            with formatter.section(group):
                formatter.write_dl([(name, command.summary) for name, command in COMMANDS.items() if command.group == group])
        _show_examples(PROGRAM, formatter)


class _Command(TyperCommand):
    """One command, which says what to do with an argument too many, and what its options are once that is asked."""

    allow_extra_args = True

    def format_options(self, ctx: Any, formatter: Any) -> None:
        from symparams.cli.help import GROUPS, OPTIONS, group_of

        name, groups = str(self.name), {group: list[tuple[str, str]]() for group in ("Arguments", *GROUPS)}
        signature = {option.name: option for option in COMMANDS[name].signature}
        for param in self.params:
            option = signature.get(str(param.name))
            if option is not None:
                param.help = _help(option)  # type: ignore[attr-defined] # which both kinds of parameter have
            group = group_of(option, has_quantities="quantity" in signature) if option else OPTIONS
            if record := param.get_help_record(ctx):
                groups[group if option is None or option.flags else "Arguments"].append(record)
        for group, records in groups.items():
            if records:
                with formatter.section(group):
                    formatter.write_dl(records)
        _show_examples(name, formatter)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        written, signature = tuple(args), COMMANDS[str(self.name)].signature
        for extra in super().parse_args(ctx, args):
            from symparams.cli.mistakes import too_many

            raise OptionError(too_many(str(self.name), signature, extra, written))
        return []


def _build(name: str, command: Command) -> TyperCommand:
    params = [_argument(option) if not option.flags else _option(option) for option in command.signature]

    def given(**values: Any) -> Parsed:
        return Parsed(name, {key: value for key, value in values.items() if value is not None and value != ()})

    return _Command(name, params=[*params, _help_option()], callback=given, help=command.summary, **PLAIN)


def _show_examples(name: str, formatter: Any) -> None:
    """Lines to paste, which are not wrapped."""
    from symparams.cli.help import examples

    if lines := examples().get(name):
        with formatter.section("Examples"):
            for line in lines:
                formatter.write(f"{'':{formatter.current_indent}}{line}\n")


def _argument(option: Option) -> TyperArgument:
    return TyperArgument(
        param_decls=[option.name],
        metavar=option.metavar,
        required=option.is_required,
        nargs=-1 if option.many else 1,
    )


def _option(option: Option) -> TyperOption:
    flags = ["/".join(option.flags)] if option.is_switch else list(option.flags)
    return TyperOption(
        param_decls=[option.name, *flags],
        metavar=option.metavar or None,
        is_flag=option.is_switch or None,
        required=option.is_required,
        multiple=option.many,
    )


def _help(option: Option) -> str:
    """Return the help of an option; naming all its values may load modules."""
    return option.explanation + (f"  [default: {option.default}]" if option.default else "")


def _root_options() -> list[TyperOption]:
    return [
        TyperOption(param_decls=["--version"], is_flag=True, callback=_say_version, help=ROOT["--version"], **EAGER),
        TyperOption(
            param_decls=["--show-completion"], metavar="SHELL", callback=_say_script, help=ROOT["--show-completion"], **EAGER
        ),
        _help_option(),
    ]


def _help_option() -> TyperOption:
    return TyperOption(param_decls=["-h", "--help"], is_flag=True, callback=_say_help, help=ROOT["--help"], **EAGER)


def _say_help(ctx: Any, param: Any, value: bool) -> None:
    if value:
        raise Said(ctx.get_help() + "\n")


def _say_version(ctx: Any, param: Any, value: bool) -> None:
    if value:
        from symparams import __version__

        raise Said(f"{PROGRAM} {__version__}\n")


def _say_script(ctx: Any, param: Any, value: str | None) -> None:
    if value is not None:
        from symparams.cli.completion import script

        raise Said(script(value))
