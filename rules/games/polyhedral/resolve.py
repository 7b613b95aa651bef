"""Spending and regaining Resolve (section 23, rulings 41, 42, 103 and 104)."""


def nudged(total: int, points: int) -> int:
    """A check's total after a nudge: 2 up or down for each point, never making or unmaking a critical."""
    return total + 2 * points


def compel(resolve: int, maximum: int, *, accept: bool) -> int:
    """Resolve after a compel. At 0 it must be accepted; accepting brings 1 up to the maximum; refusing costs 1, and
    nothing at the maximum (section 23.4). Raises ValueError for a refusal at 0."""
    if accept:
        return min(maximum, resolve + 1)
    if resolve == 0:
        raise ValueError("With no Resolve left you must accept the compel.")
    return resolve if resolve >= maximum else resolve - 1
