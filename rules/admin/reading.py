"""Rows of the database as the engine's plain rows, to be read back as sentences beside their forms.

Readers work on rows whose related objects were loaded with them, so a page needs no query per row.
"""

from collections.abc import Callable
from typing import Any

from django.db.models import Model

from rules import models
from rules.engine import content, phrases, sentence
from rules.models.amount import Amounted
from rules.models.circumstance import Requirement


class CollectedNames(phrases.NamesByHand):
    """Collects the names that a row needs while it is turned into an engine row."""

    def element(self, element: models.Element | None) -> str:
        return self._note(self.elements, element, element.ref if element else "")

    def stat(self, stat: models.Stat | None) -> str:
        return self._note(self.stats, stat, stat.key if stat else "")

    def circumstance(self, circumstance: models.Circumstance | None) -> str:
        return self._note(self.circumstances, circumstance, circumstance.slug if circumstance else "")

    def resource(self, resource: models.Resource | None) -> str:
        return self._note(self.resources, resource, resource.slug if resource else "")

    def event(self, event: models.RestEvent | None) -> str:
        return self._note(self.events, event, event.slug if event else "")

    def switch(self, switch: models.Switch | None) -> str:
        return self._note(self.switches, switch, switch.key if switch else "")

    @staticmethod
    def _note(names: dict[str, Any], named: Model | None, key: str) -> str:
        if named:
            names[key] = named
        return key

    def amount(self, row: Amounted) -> content.Amount:
        return content.Amount(
            row.amount or 0, self.stat(row.of_stat), row.times, row.divided_by, row.round_up, row.per,
            row.at_least, row.at_most,
        )  # fmt: skip


def effect(row: models.Effect) -> str:
    names = CollectedNames()
    return sentence.effect_sentence(effect_row(row, names), names)


def effect_row(row: models.Effect, names: CollectedNames) -> content.Effect:
    return content.Effect(
        kind=row.kind,
        owner=row.owner.ref,
        text=row.text,
        from_rank=row.from_rank,
        when=names.circumstance(row.when),
        this_item_only=row.this_item_only,
        amount=names.amount(row),
        stack_group=row.stack_group,
        stat=names.stat(row.stat),
        op=row.op,
        roll=row.roll,
        aspect=row.aspect,
        ability=names.element(row.ability),
        subject=names.element(row.subject),
        element=names.element(row.element),
        grant_as=row.grant_as,
        quantity=row.quantity,
    )


def requirement(row: Requirement) -> str:
    names = CollectedNames()
    return sentence.requirement_sentence(
        content.Requirement(
            test=row.test,
            ref=names.element(row.element),
            stat=names.stat(row.stat),
            switch=names.switch(row.switch),
            value=row.value or 0,
            word=row.word,
            negate=row.negate,
            either=row.either,
        ),
        names,
    )


def choice(row: models.Choice) -> str:
    names = CollectedNames()
    return sentence.choice_sentence(choice_row(row, names), names)


def choice_row(row: models.Choice, names: CollectedNames) -> content.Choice:
    options = list(row.options.all())
    return content.Choice(
        key=row.slug,
        owner=row.owner.ref,
        slug=row.slug,
        prompt=row.prompt,
        mode=row.mode,
        count=row.count,
        count_of=names.stat(row.count_of),
        per_option_max=row.per_option_max,
        grant_as=row.grant_as,
        from_rank=row.from_rank,
        every=row.every,
        filter_kind=row.filter_kind,
        options=tuple(names.element(option.element) for option in options if option.element),
        stats=tuple(names.stat(option.stat) for option in options if option.stat),
        replaceable=row.replaceable,
        distinct=row.distinct,
        budget=row.budget,
        ceiling=names.stat(row.ceiling),
        write_in=row.write_in,
        for_duplicates=row.for_duplicates,
        when=names.circumstance(row.when),
    )


def resource(row: models.Resource) -> str:
    names = CollectedNames()
    return sentence.resource_sentence(
        content.Resource(
            row.slug, row.name, row.owner.ref, names.stat(row.max_stat), row.style, row.die, row.counts_up
        ),
        names,
    )


def recovery(row: models.Recovery) -> str:
    names = CollectedNames()
    return sentence.recovery_sentence(
        content.Recovery(
            owner=row.owner.ref,
            resource=names.resource(row.resource),
            event=names.event(row.event),
            full=row.full,
            amount=names.amount(row),
            when=names.circumstance(row.when),
        ),
        names,
    )


def action(row: models.Action) -> str:
    names = CollectedNames()
    return sentence.action_sentence(action_row(row, names), names)


def action_row(row: models.Action, names: CollectedNames) -> content.Action:
    return content.Action(
        owner=row.owner.ref,
        slug=row.slug,
        name=row.name,
        timing=row.timing.name,
        trigger=row.trigger,
        range=row.range,
        from_rank=row.from_rank,
        resource=names.resource(row.resource),
        uses=row.uses,
        roll=row.roll,
        dice=row.dice,
        die=row.die,
        amount=names.amount(row),
        fires=names.event(row.fires),
        changes=row.changes,
        of_roll=row.of_roll,
        when=names.circumstance(row.when),
        begins=names.element(row.begins),
    )


def condition(row: models.Condition) -> str:
    names = CollectedNames()
    return sentence.condition_sentence(
        content.Condition(
            stackable=row.stackable,
            max_stacks=row.max_stacks,
            turns=row.turns,
            until=names.event(row.until),
            ends_with=row.ends_with,
        ),
        names,
    )


def any_row(row: Model) -> str:
    """A row of any kind that reads as a sentence; empty for a statistic, which has none."""
    readers: dict[type[Model], Callable[[Any], str]] = {
        models.Effect: effect,
        models.Choice: choice,
        models.Resource: resource,
        models.Recovery: recovery,
        models.Action: action,
    }
    return next((read(row) for kind, read in readers.items() if isinstance(row, kind)), "")
