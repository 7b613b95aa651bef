from collections.abc import Mapping

from characters.change.draft import Draft
from characters.change.refusals import Refused
from characters.change.text_input import clean
from characters.models import Change
from characters.people import Person
from rules.engine.content import Switch
from rules.engine.phrases import setting_words
from rules.games.house_rules import unfit

from .building import rebuild
from .experience import put_experience
from .leveling import check_seen


def set_switches(pk: int, person: Person, key: str, *, values: Mapping[str, str], saw: str | None = None) -> Change:
    """Set house rules to these values, by their keys; the default value removes the exception.

    A character that has gained nothing yet begins where the rules now say. saw: `seen` of the page that showed what
    would change; raises StalePage if that is no longer so.
    """
    values = {
        switch: clean(str(value), limit=200, field=switch, empty="Choose a value.") for switch, value in values.items()
    }

    def act(draft: Draft) -> str:
        bundle = draft.bundle
        if saw is not None:
            check_seen(draft, saw)
        before, parts = draft.build, []
        offered = bundle.offered_switches(before.switches)
        for switch, value in sorted(values.items()):
            rule = fitting(offered, switch, value)
            if value != (draft.read(f"switch:{switch}") or rule.default):
                draft.put(f"switch:{switch}", None if value == rule.default else value)
                parts.append(f"“{rule.name}”: {setting_words(rule, value)}")
        if not parts:
            raise Refused("Those are the house rules already.")
        put_experience(draft, bundle.game.levels.under(bundle, before, draft.build.switches))
        return f"House rule {parts[0]}." if len(parts) == 1 else f"House rules {', '.join(parts)}."

    return rebuild(pk, person, "set_switches", key, {"values": values, "saw": saw}, act)


def fitting(offered: Mapping[str, Switch], key: str, value: str) -> Switch:
    """The house rule among those `offered` that has this key; Refused if there is none or it cannot have the value."""
    rule = offered.get(key)
    if rule is None:
        raise Refused("There is no such house rule.", "switch")
    if why_not := unfit(rule, value):
        raise Refused(why_not, key)
    return rule
