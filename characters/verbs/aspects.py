from characters.journal import Refused, fingerprint_of, perform
from characters.models import Aspect
from characters.words import clean, who

MOST = 40


def set_aspects(pk, person, key, *, aspects):
    """All the traits, ideals, bonds and flaws in order, as pairs of kind and text. Empty texts are left out."""
    kinds = dict(Aspect.KINDS)
    wanted = []
    for n, (kind, text) in enumerate(aspects):
        if kind not in kinds:
            raise Refused("An aspect is a trait, an ideal, a bond or a flaw.", f"aspects-{n}")
        if text := clean(text, limit=300, field=f"aspects-{n}"):
            wanted.append((kind, text))
    if len(wanted) > MOST:
        raise Refused(f"At most {MOST} aspects, please.", "aspects")

    def act(draft):
        kept = {(value["kind"], value["text"]): address for address, value in draft.all("aspect").items()}
        fresh = []
        for position, (kind, text) in enumerate(wanted):
            value = {"kind": kind, "text": text, "position": position}
            address = kept.pop((kind, text), None)
            if address:
                draft.put(address, value)
            else:
                fresh.append(value)
        for address in kept.values():
            draft.put(address, None)
        if fresh:
            draft.create("aspect", fresh)
        return f"{who(draft)} has {len(wanted)} aspect{'s' * (len(wanted) != 1)}."

    return perform(pk, person, "set_aspects", key, fingerprint_of(aspects=wanted), act)
