from characters.build import bundle_of
from characters.journal import Refused, fingerprint_of, perform
from characters.words import clean
from rules.systems.house_rules import unfit


def set_switch(pk, person, key, *, switch, value):
    """Play by another value of a house rule; its default takes the exception away."""
    value = clean(str(value), limit=200, field=switch, empty="Choose a value.")

    def act(draft):
        rule = bundle_of(draft.character, draft.build).switches.get(switch)
        if rule is None:
            raise Refused("There is no such house rule.", "switch")
        if why_not := unfit(rule, value):
            raise Refused(why_not, switch)
        draft.put(f"switch:{switch}", None if value == rule.default else value)
        return f"House rule “{rule.name}”: {value}."

    return perform(pk, person, "set_switch", key, fingerprint_of(switch=switch, value=value), act)
