"""The options and arguments of the command line, each said once, with their completions."""

from typing import Annotated

import typer

from symparams.errors import SymparamsError


def complete_targets(incomplete: str) -> list[str]:
    """Architectures and published models that begin so."""
    from symparams import architectures, published_models

    return [name for name in (*architectures(), *published_models()) if name.startswith(incomplete)]


def complete_features(ctx: typer.Context, incomplete: str) -> list[str]:
    """Features of the target on the line that begin so."""
    from symparams.models.model import load

    try:
        names = load(ctx.params.get("target") or "").features
    except SymparamsError:
        return []
    return [name for name in names if name.startswith(incomplete)]


def complete_dimensions(incomplete: str) -> list[str]:
    """Dimensions that begin so, with the equals sign that follows."""
    from symparams.expressions.symbols import BY_NAME

    return [f"{name}=" for name in BY_NAME if name.startswith(incomplete)]


TARGET_HELP = "An architecture (bloom) or a published model (bloom-1b4-zh)."

Target = Annotated[str, typer.Argument(help=TARGET_HELP, autocompletion=complete_targets)]
OptionalTarget = Annotated[
    str | None,
    typer.Argument(help=TARGET_HELP, autocompletion=complete_targets),
]
Expr = Annotated[str | None, typer.Option("--expr", help="A bare formula instead of a target: '12*L*h**2 + V*h'.")]
Set = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="DIM=VALUE", help="A value: h=1024, d_ff=4*h.", autocompletion=complete_dimensions),
]
With = Annotated[
    list[str] | None, typer.Option("--with", metavar="FEATURE", help="Add a feature.", autocompletion=complete_features)
]
Without = Annotated[
    list[str] | None,
    typer.Option("--without", metavar="FEATURE", help="Leave one out.", autocompletion=complete_features),
]
Symbolic = Annotated[bool, typer.Option("--symbolic", help="Leave all values out: symbols only.")]
Latex = Annotated[bool, typer.Option("--latex", help="Print LaTeX.")]
Markdown = Annotated[bool, typer.Option("--markdown", help="Print Markdown.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Text = Annotated[bool, typer.Option("--text", help="Print readable text (the default).")]
Standalone = Annotated[
    bool, typer.Option("--standalone/--fragment", help="LaTeX: a whole document, or what a paper can \\input.")
]
Flavor = Annotated[str, typer.Option("--flavor", help="Markdown: pandoc or github.")]
Language = Annotated[str, typer.Option("--lang", help="The language: en or zh.")]
View = Annotated[str, typer.Option("--view", help="How the parts are grouped: module, kind or weights.")]
Attention = Annotated[str, typer.Option("--attention", help="How attention is written: fused or per-head.")]
Columns = Annotated[int, typer.Option("--columns", help="How many columns the page has: 1 or 2.")]
Notation = Annotated[str, typer.Option("--notation", help="The letters: hidden (V, h, L), bert, gpt3, megatron or hf.")]
Symbol = Annotated[
    list[str] | None,
    typer.Option("--symbol", metavar="DIM=LETTER", help="A letter of one's own: h=d.", autocompletion=complete_dimensions),
]
WithMemory = Annotated[bool, typer.Option("--with-memory", help="Add the memory of the weights.")]
Output = Annotated[str | None, typer.Option("-o", "--output", metavar="FILE", help="Write to a file, whole or not at all.")]
