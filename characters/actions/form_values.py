"""Reads a posted form by the fields of its action; Refused with a sentence at the first field that cannot be read.

A program may also pass values that are read already.
"""

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http.request import validate_host
from django.urls import Resolver404, resolve

from characters.change.arguments import UNSTORABLE
from characters.change.refusals import Refused
from characters.change.text_input import NOT_STORED, TOO_LONG, clean, in_digits, several_lines
from rules.games.table_action import (
    AN_AMOUNT,
    MOST,
    Adjustment,
    Field,
    Number,
    Numbers,
    OneOf,
    RowNumber,
    SheetAddress,
    Text,
    Tick,
    Typed,
    Word,
)

MINUS = str.maketrans("−–", "--")
NO = ("", "no", "off", "false", False, None)
LARGEST = 10**18


def answers_of(fields: Mapping[str, Field], sent: Mapping[str, Any]) -> dict[str, Any]:
    """The answers to the fields of an action, by their names. Raises Refused at a field that cannot be read."""
    return {name: READ[type(field)](field, sent.get(name), name) for name, field in fields.items()}


def text(field: Text, sent: Any, name: str) -> str | None:
    if sent is None and not field.empty:
        return field.otherwise
    read = several_lines if field.lines else clean
    return read("" if sent is None else sent, limit=field.limit, field=name, empty=field.empty)


def word(field: Word, sent: Any, name: str) -> str | None:
    if sent is None and not field.empty:
        return field.otherwise
    found = "" if sent is None else str(sent)
    if len(found) > field.limit:
        raise Refused(TOO_LONG.format(field.limit), name)
    if field.empty and not found:
        raise Refused(field.empty, name)
    if UNSTORABLE.search(found):
        raise Refused(NOT_STORED, name)
    return found


def choice(field: OneOf, sent: Any, name: str) -> str:
    if sent in (None, "") and field.otherwise is not None:
        return field.otherwise
    if sent not in field.options:
        raise Refused(field.wrong, name)
    return sent


def number(field: Number, sent: Any, name: str) -> int | None:
    if isinstance(sent, str):
        sent = sent.strip()
    if sent in (None, ""):
        if field.empty:
            raise Refused(field.empty, name)
        return field.otherwise
    found = sent if isinstance(sent, int) else digits(without_sign(sent, field.signs).translate(MINUS))
    if found is None:
        raise Refused(field.wrong, name)
    return whole(found, least=field.least, most=field.most, field=name)


def whole(number: object, *, least: int, most: int, field: str) -> int:
    """A whole number within bounds; Refused otherwise."""
    if isinstance(number, bool) or not isinstance(number, int) or not least <= number <= most:
        raise Refused(f"Enter a whole number from {in_digits(least)} to {in_digits(most)}.", field)
    return number


def without_sign(sent: Any, signs: str) -> str:
    """The text without its sign, for a field where that sign means nothing; "" if anything but digits is left."""
    if not signs:
        return sent
    bare = sent[1:].lstrip() if sent[:1] and sent[0] in signs else sent
    return bare if bare.isdigit() else ""


def digits(sent: str) -> int | None:
    """The whole number in this text; None if there is none. Very long numbers count as LARGEST."""
    bare = sent[1:] if sent[:1] in ("+", "-") else sent
    if not (bare.isascii() and bare.isdigit()):
        return None
    found = int(bare) if len(bare) < 19 else LARGEST
    return -found if sent.startswith("-") else found


def amount(field: Adjustment, sent: Any, name: str) -> Typed | None:
    if isinstance(sent, Typed):
        return sent
    sent = "" if sent is None else sent
    if not isinstance(sent, str) or len(sent) > 20:
        raise Refused(AN_AMOUNT, name)
    sent = sent.strip().translate(MINUS)
    if not sent and not field.empty:
        return None
    sign = sent[:1] in ("+", "-") and sent[:1]
    bare = sent[1:].strip() if sign else sent
    found = digits(bare) if bare[:1].isdigit() else None
    if found is None:
        raise Refused(AN_AMOUNT if sent else field.empty, name)
    if found > MOST:
        raise Refused(f"That is more than {MOST:,}, the most at once.", name)
    if sign and not found:
        raise Refused("That would change nothing.", name)
    return Typed(by=-found if sign == "-" else found) if sign else Typed(to=found)


def numbers(field: Numbers, sent: Any, name: str) -> tuple[int, ...]:
    if sent is None or isinstance(sent, str):
        words = (sent or "").replace(",", " ").split()
        sent = [digits(one) if len(one) < 4 else None for one in words[: field.many + 1]]
    found = tuple(sent)
    if len(found) > field.many:
        raise Refused(f"That is too many: at most {field.many:,}.", name)
    if not all(isinstance(one, int) and field.least <= one <= field.most for one in found):
        raise Refused(field.wrong, name)
    return found


def tick(field: Tick, sent: Any, name: str) -> bool | None:
    if isinstance(sent, str):
        word(Word(), sent, name)  # it must be storable: a proposal keeps it as it was sent
    return field.otherwise if sent is None else sent not in NO


def row(field: RowNumber, sent: Any, name: str) -> int | None:
    if sent in (None, "") and not field.needed:
        return None
    found = digits(sent.strip()) if isinstance(sent, str) else sent
    if isinstance(found, bool) or found is None or not 1 <= found < LARGEST:
        raise Refused(field.wrong, name)
    return found


def sheet_address(field: SheetAddress, sent: Any, name: str) -> int | None:
    sent = (word(Word(300), sent, name) or "").strip()
    if not sent:
        return None
    try:
        address = urlsplit(sent)
        asked = resolve(address.path).kwargs.get("pk")
    except (ValueError, Resolver404):
        asked = None
    host = asked and address.hostname
    if not asked or (host and not validate_host(host, settings.ALLOWED_HOSTS)):
        raise Refused("That is not the address of a character on this site.", name)
    return asked


READ: dict[type, Callable[[Any, Any, str], Any]] = {
    SheetAddress: sheet_address,
    Text: text,
    Word: word,
    OneOf: choice,
    Number: number,
    Adjustment: amount,
    Numbers: numbers,
    Tick: tick,
    RowNumber: row,
}
