"""Where a fact of a character stands: `namespace:name`, the keys of a `Change`'s before and after.

    field:name|xp|milestone|method|dice|binned   the column's value
    choice:<key>@<level>      list of {"ref"|"stat"|"write_in": ..., "points"?: n, "override"?: reason}
    input:<stat>              number
    item:<id>                 {"ref"|"custom": ..., "quantity": n, "state": ..., "position": n}
    aspect:<id>               {"kind": ..., "text": ..., "position": n}
    condition:<ref>|<source>  {"stacks": n, "until": text}
    spent:<resource>          number, 0 when full
    toggle:<slug>             true
    switch:<key>              the value that differs from the default
    source:<slug>             true
    award:<ref>               {"reason": text}

A fact that is not there is None (for `spent`: 0). Values are plain JSON, so that they compare equal after storage.
"""

FIELDS = ("name", "xp", "milestone", "method", "dice", "binned")

# Facts that belong to a row's id, which the database gives.
ROWS = ("item", "aspect")


def namespace(address: str) -> str:
    return address.partition(":")[0]


def name(address: str) -> str:
    return address.partition(":")[2]


def choice(key: str, level: int = 1) -> str:
    return f"choice:{key}@{level}"


def choice_parts(address: str) -> tuple[str, int]:
    """The choice's key and the level of a `choice:` address."""
    key, _, level = name(address).rpartition("@")
    return key, int(level)


def condition(ref: str, source: str = "") -> str:
    return f"condition:{ref}|{source}"


def condition_parts(address: str) -> tuple[str, str]:
    ref, _, source = name(address).partition("|")
    return ref, source


def is_number(address: str) -> bool:
    """Whether the fact moves by amounts, so that two changes of it both count."""
    return address == "field:xp" or namespace(address) == "spent"


def highest(address: str) -> int:
    """The most that a number may be; the database holds it too."""
    return 100_000_000 if address == "field:xp" else 1_000_000


def absent(address: str):
    """The value of a fact that has no row."""
    return {"field:xp": 0, "field:name": "", "field:method": "", "field:dice": []}.get(
        address, 0 if namespace(address) == "spent" else None
    )
