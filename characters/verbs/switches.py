from characters.build import bundle_of
from characters.journal import Refused, fingerprint_of, perform
from characters.words import clean


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


def unfit(rule, value: str) -> str:
    """Why a switch cannot have this value, as a sentence; "" when it can."""
    if value in rule.allowed or value == rule.default:
        return ""
    if rule.type == "number" and value.isascii() and value.removeprefix("-").isdigit() and len(value) <= 9:
        least, most = rule.minimum, rule.maximum
        if (least is None or int(value) >= least) and (most is None or int(value) <= most):
            return ""
    if rule.type == "list":
        return ""
    words = [*rule.allowed]
    if rule.type == "number":
        words.append(
            "a whole number"
            + (f" from {rule.minimum}" if rule.minimum is not None else "")
            + (f" to {rule.maximum}" if rule.maximum is not None else "")
        )
    return f"“{value}” is none of: {', '.join(words)}."
