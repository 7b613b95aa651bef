"""The parts of a character that only those who play it see. The sheet that others read leaves them out, and so do the
files and copies that they make."""

from characters.change import fact_address
from characters.change.fact_store import Facts

PRIVATE = {"note", "relationship", "downtime"}


def public(facts: Facts) -> Facts:
    """Without what is private."""
    return {address: value for address, value in facts.items() if fact_address.namespace(address) not in PRIVATE}
