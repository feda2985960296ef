"""Mistakes of a command line: what is wrong with it, and what to write in its place."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from symparams.answers.synonyms import synonyms
from symparams.cli.commands import COMMANDS
from symparams.cli.help import examples
from symparams.cli.options import ROOT, Option, as_flag
from symparams.cli.parser import PROGRAM
from symparams.errors import OptionError, SymparamsError, listed, quoted, suggestion

if TYPE_CHECKING:
    from typer.exceptions import TyperException

LONGEST_MESSAGE, LONGEST_LINE = 300, 80
VALUE = re.compile(r"[\w.*/+()]+")  # of a size
WORD = re.compile(r"[a-z]{4,}")  # of a help text
JOINED: Mapping[str, str] = {"DIM=VALUE": "=", "DIMS": ","}  # of what is written with a space: --set h 1024, --for L h
# How the values of options are written that an argument too many may be meant for, the likelier option first.
TOKENS = re.compile(r"[0-9][0-9.,]*[kKmMbBtT]?i?")
SIZE = re.compile(r"[0-9]+[xX]\S+|[0-9][0-9.]*(?:Gi?B?|Ti?B)", re.IGNORECASE)
RUN = re.compile(r"[0-9][0-9.,]*[bBtT]")  # of tokens, so many that only training reads them
WRITTEN: Mapping[str, re.Pattern[str]] = {"--fits": SIZE, "--on": SIZE, "--tokens": TOKENS, "--context": TOKENS}
THOUSANDS = re.compile(r"([0-9]+)k", re.IGNORECASE)  # of tokens, which may be two numbers


def unknown_command(words: Sequence[str]) -> str:
    """Return what to write where a line begins with no command: a target, a synonym, a quantity, a format, help."""
    first, *rest = words
    others = [word for word in rest if word not in COMMANDS]
    command = next((word for word in rest if word in COMMANDS), "")
    if f"--{first}" in ROOT:
        return _no_command(first, [*([command] if command else []), f"--{first}"])
    if _is_target(first):
        return f"{quoted(first)} is a model, not a command. {_did_you_mean([command or 'derive', first, *others])}"
    if meant := synonyms("commands").get(first.lower().replace("-", "_")):
        return _no_command(first, _filled(meant, rest))
    if first.replace("-", "_") in _quantities():
        return _no_command(first, ["count", *(rest or ["gpt2"]), "--quantity", first.replace("_", "-")])
    if f"--{first}" in _flags(COMMANDS["derive"].signature):
        return _no_command(first, ["derive", *(rest or ["gpt2"]), f"--{first}"])
    return f"No such command {quoted(first)}. {suggestion(first, COMMANDS, listing=f'{PROGRAM} --help')}"


def _no_command(word: str, line: Sequence[str]) -> str:
    return f"No such command {quoted(word)}. {_did_you_mean(line)}"


def _filled(line: str, written: Sequence[str]) -> list[str]:
    """Return a line with what was written: the targets and options, and the numbers in place of its own."""
    command, *words = line.split()
    example, options = list[str](), dict[str, list[str]]()
    for word in words:
        if word.startswith("-"):
            options[word] = []
        else:
            options[[*options][-1]].append(word) if options else example.append(word)
    named, written, signature = list[str](), respelled([command, *written])[1:], COMMANDS[command].signature
    switches = {flag for option in signature if option.is_switch for flag in option.flags}
    for before, word in zip(("", *written), written, strict=False):
        is_given = before.startswith("-") and before not in switches
        meant = "" if is_given or _is_target(word) else _value(word, signature)
        flag, _, value = meant.partition(" ")
        if flag:
            options[flag] = [value] if value else []
        else:
            named.append(word)
    given = {word.partition("=")[0] for word in written}
    added = [word for flag, values in options.items() if flag not in given for word in (flag, *values)]
    return [command, *named, *example[len(named) :], *added]


def _value(word: str, signature: Iterable[Option]) -> str:
    """Return the option that a word is a value of, as it is written: --fits 24GB, --dtype bf16; "" where none is."""
    flags = _flags(signature := list(signature))
    flag = next((flag for flag, form in WRITTEN.items() if flag in flags and form.fullmatch(word)), "")
    return f"{flag} {_unmistakable(word)}" if flag else _taking(word, signature)


def _unmistakable(number: str) -> str:
    """Return 32k as 32Ki, and any other number as it is."""
    return f"{match[1]}Ki" if (match := THOUSANDS.fullmatch(number)) else number


def respelled(written: Sequence[str]) -> list[str]:
    """Return a line with the options of its command in place of their synonyms, --seq-len of --context.

    Raises OptionError if two words give one option two values.
    """
    name = next((word for word in written if word in COMMANDS), "")
    signature = COMMANDS[name].signature if name else ()
    known, others = _flags(signature), synonyms(name)
    once = {flag for option in signature if not (option.many or option.is_switch) for flag in option.flags}
    line, spelled = list[str](), dict[str, str]()
    for word in written:
        flag, equals, value = word.partition("=")
        meant = others.get(flag[2:].replace("-", "_"), "") if flag[:2] == "--" and flag not in known else ""
        own = as_flag(meant) if meant else flag
        if own in once and spelled.setdefault(own, flag) != flag:
            raise OptionError(f"{spelled[own]} and {flag} both give {own}: leave out one of the two.")
        line.append(f"{own}{equals}{value}" if meant else word)
    return line


def _did_you_mean(line: Sequence[str]) -> str:
    """Return a line to paste, without its end where that is long or holds what a terminal would obey."""
    whole = shlex.join([PROGRAM, *line])
    return f"Did you mean {whole if whole.isprintable() and len(whole) <= LONGEST_LINE else shlex.join([PROGRAM, line[0]])}?"


def _is_target(text: str) -> bool:
    """True if a text names a model, or reads as one that lies somewhere: config.json, mine.py, Qwen/Qwen3-8B."""
    from symparams.architectures import find
    from symparams.models.sources.target import is_config, is_python, understand

    try:
        meant = understand(text) if text != "-" else {}
        return is_python(text) or is_config(meant) or bool(find(str(meant)))
    except SymparamsError:
        return False


def _quantities() -> Iterable[str]:
    from symparams.quantities.quantity import names

    return names()


def too_many(name: str, signature: Sequence[Option], extra: str, written: Sequence[str]) -> str:
    """Return what an argument too many is meant for: h=1024 for --set, and what an option takes in one word."""
    place = written.index(extra) if extra in written else 0
    before = next((option for option in signature if place > 1 and written[place - 2] in option.flags), None)
    joint = JOINED.get(before.metavar) if before else None
    instead = "Leave it out."
    if extra.isalpha() and written[place - 1][:1].isdigit():  # 117 million, 24 GB
        amount = shlex.quote(f"{written[place - 1]} {extra}")
        instead = f"Did you mean {f'{before.spelled()} {amount}' if before else amount}?"
    elif before and joint and joint not in written[place - 1]:
        instead = f"Did you mean {before.spelled()} {written[place - 1]}{joint}{extra}?"
    elif "=" in extra and "--set" in _flags(signature):
        instead = f"Did you mean --set {extra}?"
    elif _is_target(extra):
        instead = f"It takes one model; {PROGRAM} compare puts several beside one another."
    elif "--tokens" in _flags(signature) and RUN.fullmatch(extra):
        instead = _did_you_mean(_filled(synonyms("commands")["training_flops"], written))
    elif option := _value(extra, signature):
        instead = f"Did you mean {option}?"
    elif meant := synonyms(name).get(extra.replace("-", "_")):
        instead = f"Did you mean {as_flag(meant)}?"
    elif told := _instead(name, extra, written):
        return f"{quoted(extra)} is not an argument of {name}: {told}."
    elif extra[:1].isdigit() and written[place - 1][:1].isdigit():  # explain deepseek-v3 671B 37B
        line = shlex.join([PROGRAM, name, *written[: place - 1], extra])
        instead = f"It takes one number: ask about the other with {line}."
    is_shown = instead.isprintable() and len(instead) <= LONGEST_MESSAGE
    return f"{quoted(extra)} is not an argument of {name}. {instead if is_shown else 'Leave it out.'}"


def _taking(word: str, signature: Iterable[Option]) -> str:
    """Return the option that has a word for a value, or is called so: --dtype bf16, --latex; "" where none has."""
    for option in (option for option in signature if option.flags):
        if f"--{word}" in option.flags:
            return f"--{word}"
        values = option.choices() if option.choices else option.completions({}, "") if option.completions else ()
        if word in values and not word.isdecimal():  # a number may be meant for many
            return f"{option.spelled()} {word}"
    return ""


def mistake(error: TyperException, written: Sequence[str]) -> str:
    """Return the message of a line that cannot be parsed."""
    ctx, option, kind = getattr(error, "ctx", None), getattr(error, "option_name", None), type(error).__name__
    name = str(ctx.command.name) if ctx is not None else next((word for word in written if word in COMMANDS), "")
    if kind == "NoSuchOption" and option and name in COMMANDS:
        return unknown_option(name, _as_written(option, written), written)
    if kind == "NoSuchOption" and option:
        return _unknown_at_the_root(_as_written(option, written), written)
    message = error.format_message()
    if kind == "BadOptionUsage" and option and name in COMMANDS:
        return f"{message} {next((own.explanation for own in COMMANDS[name].signature if option in own.flags), '')}".strip()
    if kind == "MissingParameter" and name in examples():
        return f"{message} For example: {examples()[name][0]}"
    return message if len(message) <= LONGEST_MESSAGE else message[:LONGEST_MESSAGE] + "…"


def _as_written(option: str, written: Sequence[str]) -> str:
    """Return an option as it stands in the line, of which the parser reads -help as -h -e -l -p."""
    if option.startswith("--"):
        return option
    words = (word.partition("=")[0] for word in written if word[:1] == "-" and word[:2] != "--" and len(word) > len(option))
    return next((word for word in words if option[1:] in word or option[1:] == "="), option)


def _unknown_at_the_root(option: str, written: Sequence[str]) -> str:
    command = next((word for word in written if word in COMMANDS), "")
    if command and option in _flags(COMMANDS[command].signature):
        place = written.index(command)
        return f"{option} belongs behind its command. {_did_you_mean([command, *written[place + 1 :], *written[:place]])}"
    near = suggestion(option, ROOT) if option[1:2] != "-" and f"-{option}" in ROOT else ""
    return f"No such option: {option[:LONGEST_LINE]}{f'. {near}' if near else ''}"


def unknown_option(name: str, option: str, written: Sequence[str]) -> str:
    """Return what an option that a command has not may mean: another one, a size, a feature, a format by its ending."""
    signature = COMMANDS[name].signature
    known = [flag for flag in _flags(signature) if flag.startswith("--")]
    value = next(iter(_values(option, written)), "")
    word = option.lstrip("-")
    format_flag = _format(word) or (_format(value) if f"--{value}" not in known else "")
    if format_flag in known:
        return f"{name} has no option {quoted(option)}. Did you mean {quoted(format_flag)}?"
    if "--quantity" in written and word in _longer_names() and "--set" in known:
        return f"{name} has no option {quoted(option)}. Did you mean --set {word}={_size(value)}?"
    owners = [other for other, command in COMMANDS.items() if option in _flags(command.signature)]
    instead = _instead(name, word, written)
    if owners:
        return f"{name} has no option {option}, which is for {listed(owners)}: {instead or 'leave it out'}."
    if instead:
        return f"{name} has no option {quoted(option)}: {instead}."
    if "--set" in known and word in _sizes() and option.isprintable():
        return f"{name} has no option {quoted(option)}. Did you mean --set {word}={_size(value)}?"
    for prefix, flag in (("no-", "--without"), ("without-", "--without"), ("with-", "--with")):
        feature = word.removeprefix(prefix).replace("-", "_")
        if flag in known and word.startswith(prefix) and feature in _features():
            return f"{name} has no option {quoted(option)}. Did you mean {flag} {feature}?"
    if meant := _taking(word, signature):  # --bf16: --dtype bf16
        return f"{name} has no option {quoted(option)}. Did you mean {meant}?"
    if value and (meant := _taking(value, signature)):  # --format latex: --latex
        return f"{name} has no option {quoted(option)}. Did you mean {quoted(meant) if meant in known else meant}?"
    near = suggestion(f"--{word}", [*known, "--help"], listing=f"{PROGRAM} {name} --help")
    takes_none = not value or value.startswith("-")
    speaking = [own for own in signature if own.flags and own.is_switch is takes_none]
    speaking = [own for own in speaking if word.lower() in WORD.findall(own.explanation.lower())]
    if not near.startswith("Did") and len(speaking) == 1:
        near = f"Did you mean {quoted(speaking[0].spelled())}? {speaking[0].explanation}"
    return f"{name} has no option {quoted(option)}. {near}"


def _instead(name: str, word: str, written: Sequence[str]) -> str:
    """Return what to do in place of an option that a command has not; "" where the table does not say."""
    others, spelled = synonyms("instead"), word.replace("-", "_")
    is_counting = "--quantity" in _flags(COMMANDS[name].signature)
    told = others.get(f"{name} {spelled}") or (others.get(f"* {spelled}", "") if is_counting else "")
    spoken = [after for before, after in zip(("", *written), written, strict=False) if before.lstrip("-") != word]
    target = next(filter(_is_target, spoken), "TARGET")  # which is not a value of that option
    return told.replace("TARGET", shlex.quote(target) if len(target) <= LONGEST_LINE else "TARGET")


def _flags(signature: Iterable[Option]) -> list[str]:
    return [flag for option in signature for flag in option.flags]


def _format(word: str) -> str:
    """Return the switch of the format whose files end so: --markdown of md; "" where none does."""
    from symparams.formats import endings, every

    return next((f"--{kind}" for kind in every() if f".{word}" in endings(kind) and word), "")


def _size(value: str) -> str:
    """Return a size as a shell takes it, or that it has one."""
    return shlex.quote(value) if VALUE.fullmatch(value) else "…"


def _longer_names() -> Iterable[str]:
    from symparams.expressions.symbols import LONG_NAMES

    return {longer.name for longer in LONG_NAMES.values()}


def _sizes() -> Iterable[str]:
    from symparams.expressions.notation import BY_KEY
    from symparams.expressions.symbols import INPUTS

    return {*BY_KEY, *(letter.name for letter in INPUTS)}


def _features() -> Iterable[str]:
    from symparams import features

    return {feature.name for feature in vars(features).values() if isinstance(feature, features.Feature)}


def _values(flag: str, written: Sequence[str]) -> list[str]:
    """Return what stands after an option, each time that it is written."""
    values = []
    for word, following in zip(written, (*written[1:], ""), strict=False):
        name, equals, value = word.partition("=")
        if name == flag:
            values.append(value if equals else following)
    return values
