"""Numbers in addresses and hidden fields, where anyone can write anything."""

LARGEST = 2**63 - 1  # the largest that a database takes
MOST_DIGITS = len(str(LARGEST))


def number_in(text: str | None, most: int = LARGEST) -> int | None:
    """The whole number in these digits, from 0 to `most`; None for anything else."""
    if not text or len(text) > MOST_DIGITS or not (text.isascii() and text.isdigit()):
        return None
    number = int(text)
    return number if number <= most else None
