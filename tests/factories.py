"""Rows of rules content for tests, each valid by itself."""

import factory
from factory.django import DjangoModelFactory

from rules import models
from rules.models.ruleset import fresh_revision


class RulesetFactory(DjangoModelFactory):
    class Meta:
        model = models.Ruleset

    slug = factory.Sequence("ruleset-{}".format)
    name = "A game"
    game = "polyhedral"


class SourceFactory(DjangoModelFactory):
    class Meta:
        model = models.Source

    ruleset = factory.SubFactory(RulesetFactory)
    slug = factory.Sequence("source-{}".format)
    title = "A source"
    revision = factory.LazyFunction(fresh_revision)  # its rows are in play (tests/conftest.py)


class PublicationFactory(DjangoModelFactory):
    class Meta:
        model = models.Publication

    source = factory.SubFactory(SourceFactory)
    number = factory.Sequence(int)
    revision = factory.Sequence(int)
    pack = b""


class OfSource(DjangoModelFactory):
    """Rows that belong to a source, and to its ruleset."""

    class Meta:
        abstract = True

    source = factory.SubFactory(SourceFactory)
    ruleset = factory.SelfAttribute("source.ruleset")


class SwitchFactory(OfSource):
    class Meta:
        model = models.Switch

    key = factory.Sequence("switch{}".format)
    name = "A switch"
    type = "number"
    default = "1"


class StatFactory(OfSource):
    class Meta:
        model = models.Stat

    key = factory.Sequence("stat-{}".format)
    name = "A statistic"


class CircumstanceFactory(OfSource):
    class Meta:
        model = models.Circumstance

    slug = factory.Sequence("circumstance-{}".format)
    name = "at dusk"


class RestEventFactory(OfSource):
    class Meta:
        model = models.RestEvent

    slug = factory.Sequence("event-{}".format)
    name = "A rest"


class ActionTimingFactory(OfSource):
    class Meta:
        model = models.ActionTiming

    slug = factory.Sequence("timing-{}".format)
    name = "An action"


class LookupTableFactory(OfSource):
    class Meta:
        model = models.LookupTable

    slug = factory.Sequence("table-{}".format)
    name = "A table"


class ElementFactory(OfSource):
    class Meta:
        model = models.Element

    kind = "talent"
    slug = factory.Sequence("element-{}".format)
    name = "An element"


class AbilityFactory(ElementFactory):
    class Meta:
        model = models.Ability

    kind = "ability"
    rank_stat = factory.SubFactory(StatFactory, source=factory.SelfAttribute("..source"))
    modifier_stat = factory.SubFactory(StatFactory, source=factory.SelfAttribute("..source"))
    short = "Ab"


class WeaponFactory(ElementFactory):
    class Meta:
        model = models.Weapon

    kind = "weapon"
    category = factory.SubFactory(ElementFactory, source=factory.SelfAttribute("..source"), kind="category")
    damage_type = factory.SubFactory(ElementFactory, source=factory.SelfAttribute("..source"), kind="damage-type")


class ConditionFactory(ElementFactory):
    class Meta:
        model = models.Condition

    kind = "condition"


class SpellFactory(ElementFactory):
    class Meta:
        model = models.Spell

    kind = "spell"


class OfElement(DjangoModelFactory):
    class Meta:
        abstract = True

    owner = factory.SubFactory(ElementFactory)


class EffectFactory(OfElement):
    """A modify row by default; other kinds need their own columns."""

    class Meta:
        model = models.Effect

    kind = "modify"
    stat = factory.SubFactory(StatFactory, source=factory.SelfAttribute("..owner.source"))
    op = "add"
    amount = 1


class ChoiceFactory(OfElement):
    class Meta:
        model = models.Choice

    slug = factory.Sequence("choice-{}".format)
    prompt = "Which one?"


class ChoiceOptionFactory(DjangoModelFactory):
    class Meta:
        model = models.ChoiceOption

    choice = factory.SubFactory(ChoiceFactory)
    element = factory.SubFactory(ElementFactory, source=factory.SelfAttribute("..choice.owner.source"))


class PrerequisiteFactory(OfElement):
    class Meta:
        model = models.Prerequisite

    test = "level"
    value = 1


class CircumstanceTestFactory(DjangoModelFactory):
    class Meta:
        model = models.CircumstanceTest

    circumstance = factory.SubFactory(CircumstanceFactory)
    test = "level"
    value = 1


class ResourceFactory(OfElement):
    class Meta:
        model = models.Resource

    slug = factory.Sequence("resource-{}".format)
    name = "A resource"
    max_stat = factory.SubFactory(StatFactory, source=factory.SelfAttribute("..owner.source"))


class RecoveryFactory(OfElement):
    class Meta:
        model = models.Recovery

    resource = factory.SubFactory(ResourceFactory, owner=factory.SelfAttribute("..owner"))
    event = factory.SubFactory(RestEventFactory, source=factory.SelfAttribute("..owner.source"))
    full = True


class ActionFactory(OfElement):
    class Meta:
        model = models.Action

    slug = factory.Sequence("action-{}".format)
    name = "Something to do"
    timing = factory.SubFactory(ActionTimingFactory, source=factory.SelfAttribute("..owner.source"))


class PropertyUseFactory(DjangoModelFactory):
    class Meta:
        model = models.PropertyUse

    item = factory.SubFactory(WeaponFactory)
    property = factory.SubFactory(ElementFactory, source=factory.SelfAttribute("..item.source"), kind="property")


class SuggestionFactory(DjangoModelFactory):
    class Meta:
        model = models.Suggestion

    background = factory.SubFactory(ElementFactory, kind="background")
    aspect = "trait"
    number = factory.Sequence(lambda n: n + 1)
    text = "I wave."


class LookupRowFactory(DjangoModelFactory):
    class Meta:
        model = models.LookupRow

    table = factory.SubFactory(LookupTableFactory)
    at = factory.Sequence(int)
    value = 1


class HouseRulesFactory(DjangoModelFactory):
    class Meta:
        model = models.HouseRules

    ruleset = factory.SubFactory(RulesetFactory)


class SwitchValueFactory(DjangoModelFactory):
    class Meta:
        model = models.SwitchValue

    house_rules = factory.SubFactory(HouseRulesFactory)
    switch = factory.SubFactory(SwitchFactory)
    value = "1"
