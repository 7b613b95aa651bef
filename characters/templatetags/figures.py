"""Numbers and rule pages in templates: `{{ 2|signed }}`, `{{ roll|pool }}`, `{{ ref|rule_url:bundle }}`."""

from functools import lru_cache

from django import template
from django.urls import reverse

from characters import explanations, figures

register = template.Library()
register.filter("signed", figures.signed)
register.filter("plain", figures.plain)
register.filter("percent", figures.percent)
register.filter("written", figures.of_stat)
register.filter("grip", explanations.grip_words)
register.filter("attack_key", explanations.attack_key)
register.filter("action_key", explanations.action_key)


@register.filter
def pool(roll):
    return figures.pool(roll.dice, roll.modifier)


@register.filter
def minus(number):
    return figures.plain(-number)


@register.filter
def of(texts, key):
    """The entry of a mapping under a key that is itself a variable."""
    return texts.get(key, "")


@register.filter
def rule_url(ref, bundle):
    """The page of the element in the rules browser."""
    return _page_of(bundle.ruleset, ref)


@lru_cache(maxsize=4096)  # a sheet has a hundred of these links
def _page_of(ruleset, ref):
    kind, _, slug = ref.partition(":")
    return reverse("rules:element", args=[ruleset, kind, slug])
