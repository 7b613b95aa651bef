"""Spending and regaining Resolve (section 23, rulings 41, 42, 103 and 104)."""


def nudged(total: int, points: int) -> int:
    """A check's total after nudges: 2 up or down for each point. A nudge never makes or unmakes a critical."""
    return total + 2 * points


def compel(resolve: int, maximum: int, *, accept: bool) -> int:
    """Resolve after a compel. Accepting gives 1 point, up to the maximum. Refusing costs 1, or nothing at the maximum.
    At 0 it must be accepted (section 23.4): raises ValueError for a refusal."""
    if accept:
        return min(maximum, resolve + 1)
    if resolve == 0:
        raise ValueError("With no Resolve left you must accept the compel.")
    return resolve if resolve >= maximum else resolve - 1
