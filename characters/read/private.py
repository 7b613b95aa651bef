"""The parts of a character that only its players see. Others' view of the sheet, and the files and copies that they
make, leave them out."""

from characters.change import fact_address
from characters.change.fact_store import Facts

PRIVATE = {"note", "relationship", "downtime"}


def public(facts: Facts) -> Facts:
    """These facts without the private ones."""
    return {address: value for address, value in facts.items() if fact_address.namespace(address) not in PRIVATE}
