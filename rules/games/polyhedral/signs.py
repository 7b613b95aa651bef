"""The elements with a small drawing, each a symbol in `static/games/polyhedral/signs.svg`."""

from collections.abc import Mapping

from rules.engine.content import Ref

DRAWN = {
    "lineage": ("human", "half-elf", "elf", "dwarf"),
    "job": ("fighter",),
    "ability": ("strength", "agility", "vitality", "mind", "spirit", "presence"),
    "damage-type": (
        "bludgeoning", "piercing", "slashing", "poison", "acid", "cold", "fire", "force", "lightning", "necrotic",
        "psychic", "radiant", "thunder",
    ),
}  # fmt: skip
SIGNS: Mapping[Ref, str] = {f"{kind}:{slug}": slug for kind, slugs in DRAWN.items() for slug in slugs}
