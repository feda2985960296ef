"""A walk: a whole derivation asked step by step, in the order of the sheet, the total last."""

from __future__ import annotations

from functools import cached_property

from symparams.derivations.derivation import derive
from symparams.derivations.steps import Step, StepKind
from symparams.expressions.closed_form import as_written
from symparams.expressions.nodes import Expression
from symparams.models.model import Model
from symparams.practice.asking import ask
from symparams.practice.kind import NUMBER, STANDARD, SYMBOLIC, AnswerForm, QuestionTemplate, kinds
from symparams.practice.question import Mistake, Question
from symparams.practice.selection import COMMANDS, Asked
from symparams.records import frozen

STEP = "step"
ASKED = frozenset({StepKind.STEP, StepKind.BLOCK, StepKind.STACK, StepKind.TOTAL})


@frozen
class StepQuestion(Question):
    """The question what a step of a model's sheet comes to; ``usual`` are the mistakes that the bank knows of it."""

    of: Step
    usual: tuple[Mistake, ...] = ()
    is_in_layer: bool = False

    @cached_property
    def written(self) -> Expression:
        """The closed form of the step."""
        return as_written(self.of.polynomial)

    @cached_property
    def mistakes(self) -> tuple[Mistake, ...]:
        """The usual mistakes of the bank's questions with this answer."""
        return self.usual

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The step alone."""
        return (self.of,)


def walk(model: Model) -> list[Asked]:
    """The steps of a model's derivation as questions; MissingDimensionError where it has no values for them."""
    model.count()
    counting = [kind for kind in kinds().values() if kind.step and not (kind.answer or kind.is_choice or kind.given)]
    questions = [question for kind in counting if (question := ask(kind, model)) is not None]
    banked = [question for question in questions if question.form.name in (SYMBOLIC, NUMBER)]
    asked, seen = [], set()
    steps = list(derive(model).walk())
    stacks = {step.path for step in steps if step.kind is StepKind.STACK}
    shared = {inner.name for step in steps if step.kind is StepKind.TIED for inner in step.steps}  # worked out at its owner
    for step in steps:
        if step.name in shared or step.kind not in ASKED or not step.polynomial or (step.name, step.polynomial) in seen:
            continue
        seen.add((step.name, step.polynomial))
        usual = {mistake.value: mistake for other in banked if _is_about(other, step) for mistake in other.mistakes}
        is_in_layer = step.kind is StepKind.STEP and step.path.partition(".")[0] in stacks
        form = AnswerForm(SYMBOLIC if step.polynomial.letters and repr(step.closed) not in COMMANDS else NUMBER)
        kind = QuestionTemplate(step.path or str(step.name), "", STANDARD, (form,), {})
        asked.append(Asked(StepQuestion(kind, model, form, {}, step, tuple(usual.values()), is_in_layer), STEP))
    return asked


def _is_about(question: Question, step: Step) -> bool:
    """True if a question of the bank asks for this step, and not for another of as many parameters."""
    return question.polynomial == step.polynomial and any(other.name == step.name for other in question.steps)
