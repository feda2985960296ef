"""Worksheets, booklets and exams: a rule for each answer, nothing that tells it, and a key where it is asked for."""

from __future__ import annotations

import json
import re

from symparams import load, render
from symparams.practice.bank import chosen, models, of_each
from symparams.practice.exam import POINTS, exam
from symparams.practice.kind import LEVELS
from symparams.practice.worksheet import KEYS, NONE, ONLY, worksheet
from symparams.sheets.practice.booklet import booklet
from symparams.sheets.practice.exam import exam as on_paper
from symparams.sheets.worksheet.filled import answers

from .conftest import PUBLISHED

TELLING = re.compile(r"\d{1,3}(?:,\d{3})+")
NUMBERS = {  # of a rule that has its own at its beginning, and of those on a line at its end
    "latex": (r"\\blank\[(\w+)\]", r"\\beside(?:\[\w+\])?\{([\w, ]+)\}"),
    "typst": (r'#blank\([\d.]+em, "(\w+)"\)', r'#beside\("([\w, ]+)"\)'),
}


def sheet(model: str, form: str, level: str, language: str = "en", key: str = "end") -> str:
    return render(worksheet(model, level=level, key=key, seed=4), form, language=language)


def numbers_asked(model: str, level: str) -> set[str]:
    """Return the numbers of six digits or more that the key has in its boxes, and that are no dimensions."""
    key = render(worksheet(model, level=level, key=ONLY, seed=4), width=10_000)
    boxed = {number for box in re.findall(r"\[[^\[\]]*\]", key) for number in TELLING.findall(box)}
    dimensions = {f"{value:,}" for value in load(model).values.values()}
    return {number for number in boxed - dimensions if len(number) > 6}


def test_there_are_as_many_rules_as_answers():
    for form, (inline, margin) in NUMBERS.items():
        for model, level in zip(PUBLISHED, LEVELS * 3, strict=False):
            asked = worksheet(model, level=level, key=NONE, seed=4)
            written = render(asked, form)
            numbers = re.findall(inline, written) + [
                number for line in re.findall(margin, written) for number in line.split(", ")
            ]
            # The blanks of the frame, which is the last to be filled in, have no number in TeX.
            assert sorted(number for number in numbers if not number.startswith("0")) == sorted(
                number for number in answers(asked) if not number.startswith("0")
            ), (model, level)


def test_a_rule_says_nothing_of_its_answer() -> None:
    """All formulas and sentences have at most four lengths of rules, none below 25 mm; a column of a table has one."""
    written = sheet("gpt2", "latex", "easy", key=NONE)
    before, *tables = re.split(r"\\begin\{tabular\}", written)
    outside = [before, *(table.partition(r"\end{tabular}")[2] for table in tables)]
    lengths = {float(length) for length in re.findall(r"\\blank\{([\d.]+)em\}", "".join(outside))}
    assert len(lengths) <= 4
    assert min(lengths) * 10.95 / 72.27 * 25.4 >= 24.9
    columns = [set(re.findall(r"\\blank\{([\d.]+)em\}", table.partition(r"\end{tabular}")[0])) for table in tables]
    assert {len(lengths) for lengths in columns if lengths} == {1}


def test_the_blanks_of_a_row_and_of_the_frame_are_numbered_at_the_margin() -> None:
    """The number is not on the rule, where a learner writes; every row of a table to write in has room for a hand."""
    for form, language in (("latex", "en"), ("typst", "zh")):
        written = sheet("bert-base-uncased", form, "standard", language, NONE)
        rows = [line for line in written.splitlines() if re.search(r"\\writingroom|#writing-room", line)]
        assert len(rows) > 10
        assert not [line for line in rows if re.search(r'\\blank\[|#blank\([\d.]+em, "\w', line)]
    assert r"\beside[4mm]{0a}" in sheet("bert-base-uncased", "latex", "standard", "en", NONE)


def test_the_key_has_its_answers_in_boxes_and_the_usual_mistakes():
    before, after = sheet("gpt2", "latex", "easy").split(r"\clearpage")
    assert r"\blank{" in before
    assert r"\blank{" not in after
    assert r"\answer{" not in before.partition(r"\begin{document}")[2]
    assert re.search(r"\\answer\{[\d{},\\mathbf]+\} \\tag\*\{\\beside\{\d+a\}\}", after)
    mistakes = "4 Attention.\n4·h² = 2,359,296: The biases are missing. 3·h² + 3·h = 1,771,776: The output\n"
    assert mistakes in sheet("gpt2", "text", "standard").partition("The usual mistakes")[2]
    data = json.loads(render(worksheet("gpt2"), "json"))
    assert (data["kind"], data["document"]["sections"][0]["heading"]) == ("worksheet", "Dimensions")
    assert "___" in json.dumps(data["document"])


def test_an_exam_says_its_points_and_a_booklet_groups_its_bytes():
    composed = exam(4, "7")
    paper = render(on_paper(composed, key="none"))
    points = [int(number) for number in re.findall(r"^\d+\. \((\d) points\)", paper, re.MULTILINE)]
    assert points == [POINTS[question.kind.level] for question in composed.questions]
    assert f"4 questions, {sum(points)} points." in paper.replace("\n", " ")
    for key in KEYS:
        written = render(on_paper(composed, key=key), "latex")
        assert (r"\rule{\linewidth}" in written, "Half marks" in written) == (key != "only", key != "none"), key
    assert "248,879,616 bytes" in render(booklet(list(of_each(chosen("memory"), models(["gpt2"]))), key="only"))
