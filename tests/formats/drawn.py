"""A drawing made by hand, GPT-2, every place in it measured out: what writes drawings, tested without what lays them out."""

from __future__ import annotations

from symparams.drawings.marks import (
    Anchor,
    Box,
    Drawing,
    Face,
    Frame,
    Mark,
    Operation,
    Pill,
    Rectangle,
    Stroke,
    Text,
    TextPiece,
    Tint,
    Wedge,
    Wire,
)
from symparams.expressions.nodes import Expression, Number, Power, Product, Size
from symparams.expressions.notation import NOTATIONS
from symparams.expressions.symbols import L, V, d_ff, h, max_pos

LEFT, SPINE, WIDTH = 24.0, 72.0, 96.0
INNER, PANEL, ROOM = 139.0, 134.0, 94.5
MIDDLE = INNER + ROOM / 2


def tight(number: int, *factors: Expression) -> Size:
    return Size(Product((Number(number), *factors)))


def box(part: str, tint: Tint, name: str, formula: Expression | None, count: str, x: float, y: float, width: float) -> Box:
    """A box of two lines, or a norm's of one."""
    middle, is_norm = x + width / 2, tint is Tint.NORM
    counted = (
        [TextPiece(formula, Face.FORMULA), TextPiece(f" = {count}", Face.COUNT)] if formula else [TextPiece(count, Face.COUNT)]
    )
    first = [TextPiece(name, Face.NAME)]
    lines = [[*first, TextPiece("  ", Face.COUNT), *counted]] if is_norm else [first, counted]
    placed = [Text(middle, y + (9.09, 17.14)[i], tuple(line)) for i, line in enumerate(lines)]
    return Box(Rectangle(x, y, width, 13 if is_norm else 21), tint, tuple(placed), part, f"{name}: {formula} = {count}")


def note(text: str, x: float, y: float, anchor: Anchor = Anchor.MIDDLE) -> Text:
    return Text(x, y, (TextPiece(text, Face.NOTE),), anchor)


def pill(text: str, x: float, y: float, width: float) -> Pill:
    return Pill(Rectangle(x, y, width, 10), (Text(x + width / 2, y + 7.31, (TextPiece(text, Face.PILL),)),))


def panel(tint: Tint, name: str, y: float, height: float) -> Frame:
    place = Rectangle(PANEL, y, 104.5, height)
    return Frame(place, tint, 12, (Text(MIDDLE, y + 8.35, (TextPiece(name, Face.PANEL),)),))


def up(x: float, start: float, end: float, *, arrow: bool = True, dot: bool = False) -> Wire:
    return Wire(((x, start), (x, end)), arrow=arrow, dot=dot)


def residual(start: float, end: float) -> Wire:
    return Wire(((SPINE, start), (16.85, start), (16.85, end), (SPINE - 4, end)), Stroke.RESIDUAL, dot=True)


NORM, ATTENTION, FEED = 2 * h, tight(4, Power(h, 2)) + tight(4, h), tight(8, Power(h, 2)) + tight(5, h)
LOWEST: tuple[Mark, ...] = (
    Frame(
        Rectangle(11, 89, 114, 157.8),
        Tint.STACK,
        20.8,
        (
            Text(
                68, 97.92, (TextPiece("Decoder layer, ", Face.STRIP), TextPiece(L, Face.STRIP), TextPiece(" = 12", Face.STRIP))
            ),
            Text(68, 106.15, (TextPiece("12 × 7,087,872 = 85,054,464", Face.COUNT),)),
        ),
        "layers",
        "12 decoder layers: 12 × 7,087,872 = 85,054,464",
    ),
    panel(Tint.ATTENTION, "Masked self-attention", 147.8, 99),
    panel(Tint.FEED_FORWARD, "Feed-forward", 44.8, 94),
    Wedge(((120, 217.8), (134, 246.8), (134, 147.8), (120, 196.8)), Tint.ATTENTION),
    Wedge(((120, 150.8), (134, 138.8), (134, 44.8), (120, 129.8)), Tint.FEED_FORWARD),
)
WIRES: tuple[Mark, ...] = (
    *(up(x, 297.3, 289.8) for x in (72, 186)),
    up(72, 268.8, 261.8),
    Wire(((186, 268.8), (186, 257.8), (76, 257.8))),
    up(72, 253.8, 238.8),
    *(up(72, *ends) for ends in ((225.8, 217.8), (196.8, 189.8), (181.8, 171.8), (158.8, 150.8), (129.8, 122.8))),
    residual(244.8, 185.8),
    residual(177.8, 118.8),
    up(72, 114.8, 109.8, arrow=False),
    *(up(72, *ends) for ends in ((89, 80), (67, 59), (38, 29))),
    Wire(((24, 279.3), (5, 279.3), (5, 48.5), (24, 48.5)), Stroke.TIED),
    up(MIDDLE, 246.8, 238.8),
    *(up(x, 217.8, 205.8) for x in (160.25, MIDDLE, 212.25)),
    *(
        up(MIDDLE, *ends)
        for ends in ((195.8, 187.8), (166.8, 159.8), (138.8, 130.8), (109.8, 102.8), (92.8, 84.8), (63.8, 56.8))
    ),
)
SPINE_BOXES: tuple[Mark, ...] = (
    note("tokens", 72, 304.3),
    box("token_embedding", Tint.EMBEDDING, "Token embedding", V * h, "38,597,376", LEFT, 268.8, WIDTH),
    note("positions", 186, 304.3),
    box("position_embedding", Tint.EMBEDDING, "Position embedding", max_pos * h, "786,432", 138, 268.8, WIDTH),
    Operation(72, 257.8, "+"),
    box("layers.attention_norm", Tint.NORM, "LayerNorm", Size(NORM), "1,536", LEFT, 225.8, WIDTH),
    box("layers.attention", Tint.ATTENTION, "Masked self-attention", ATTENTION, "2,362,368", LEFT, 196.8, WIDTH),
    Operation(72, 185.8, "+"),
    box("layers.feed_forward_norm", Tint.NORM, "LayerNorm", Size(NORM), "1,536", LEFT, 158.8, WIDTH),
    box("layers.feed_forward", Tint.FEED_FORWARD, "Feed-forward", FEED, "4,722,432", LEFT, 129.8, WIDTH),
    Operation(72, 118.8, "+"),
    box("final_norm", Tint.NORM, "LayerNorm", Size(NORM), "1,536", LEFT, 67, WIDTH),
    box("lm_head", Tint.HEAD, "LM head", None, "tied to token embedding: 0", LEFT, 38, WIDTH),
    note("next-token logits", 72, 26.5),
)
FUSED, UP, DOWN = h * tight(3, h) + tight(3, h), h * d_ff + d_ff, d_ff * h + h
PANELS: tuple[Mark, ...] = (
    box("layers.attention.qkv", Tint.ATTENTION, "Query, key, value", FUSED, "1,771,776", INNER, 217.8, ROOM),
    *(note(name, x, 213.8, Anchor.START) for name, x in (("Q", 162.75), ("K", 188.75), ("V", 214.75))),
    pill("causal attention, 12 heads", INNER, 195.8, ROOM),
    box("layers.attention.output", Tint.ATTENTION, "Output", h * h + h, "590,592", INNER, 166.8, ROOM),
    box("layers.feed_forward.up", Tint.FEED_FORWARD, "Up", UP, "2,362,368", INNER, 109.8, ROOM),
    pill("GELU", 171.87, 92.8, 28.77),
    box("layers.feed_forward.down", Tint.FEED_FORWARD, "Down", DOWN, "2,360,064", INNER, 63.8, ROOM),
)
HEADER: tuple[Mark, ...] = (
    Text(2, 10, (TextPiece("gpt2", Face.TITLE),), Anchor.START),
    Text(238, 10, (TextPiece("124,439,808", Face.TOTAL), TextPiece(" parameters", Face.COUNT)), Anchor.END),
)
GPT2 = Drawing(
    "gpt2",
    "gpt2, 124,439,808 parameters",
    "Bottom to top: tokens and positions are embedded and summed; 12 decoder layers; a final norm; the head.",
    "en",
    240,
    306.8,
    (*LOWEST, *WIRES, *SPINE_BOXES, *PANELS, *HEADER),
    NOTATIONS["hidden"],
)
