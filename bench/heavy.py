"""A character with every choice answered, at any level: what the heaviest sheets look like."""

from dataclasses import replace

from rules.engine import Build, Bundle, Decision, Item, derive, options_for


def complete(bundle: Bundle, build: Build) -> Build:
    """`build` with the first option that can be taken in every choice that is open, until none is left."""
    for _ in range(500):
        sheet = derive(bundle, build)
        answer = next(
            filter(None, (answer_to(bundle, build, sheet, line) for line in sheet.choices if line.open)), None
        )
        if answer is None:
            return build
        build = replace(build, decisions=(*build.decisions, answer))
    raise SystemExit("The choices of the heavy character do not come to an end.")


def answer_to(bundle, build, sheet, line):
    choice = line.choice
    place = {"choice": choice.key, "level": line.level, "position": line.made}
    for option in options_for(bundle, build, sheet, choice.key, line.level):
        if not option.taken and not option.why_not:
            return Decision(**place, ref=option.ref, stat=option.stat)
    return Decision(**place, write_in="Something of their own") if choice.write_in else None


def heavy(bundle: Bundle, level: int) -> Build:
    """A character of this level who carries one of every tenth thing there is."""
    things = [ref for ref, element in bundle.elements.items() if element.kind in {"weapon", "armor", "gear"}]
    items = tuple(Item(ref=ref, key=str(number)) for number, ref in enumerate(things[::10]))
    ranks = {element.ability.rank_stat: 12 for element in bundle.elements.values() if element.ability}
    return complete(bundle, Build(name="Heavy", milestone=level, inputs=ranks, items=items))
