"""Turns a zip of character files, such as a table's download, back into seats."""

import hashlib

from campaigns.campaign_access import changing, member_of
from campaigns.models import Seat
from campaigns.roles import RUN
from campaigns.verbs.seats import MOST_SEATS, regrant, seat_for
from campaigns.verbs.table_rules import homebrew_of, sit_by_rules
from characters.change.arguments import fingerprint_of
from characters.change.journal import Act, check_key
from characters.change.refusals import KeyReused, Refused
from characters.models import Change
from characters.people import Person
from characters.verbs.begin import BadFile, from_file, import_within
from rules.games.strict_json import LARGEST_FILE
from rules.models import Ruleset
from rules.zips import NotReadable, TooLarge, Zip

MOST_BYTES = 5_000_000  # of all files together, unpacked


class BadParty(Refused):
    """A zip that cannot be brought back: the name of each faulty file, with a sentence for each fault."""

    def __init__(self, faults: list[tuple[str, list[str]]]) -> None:
        self.faults = faults
        super().__init__("No character was made: some files cannot be read.", "file")


def bring_back(pk: int, person: Person, key: str, data: bytes) -> list[Seat]:
    """Recreate the characters of such a zip, all or none. This person owns them, and they wait for players at this
    table. BadParty names the faults of each file. The same key returns the same seats."""
    check_key(key)
    ours = homebrew_of(member_of(pk, person, RUN).campaign)
    parts = [(_key(key, at), part) for at, part in enumerate(_read(person, data, [ours.slug] if ours else []))]
    what = {"zip": hashlib.sha256(data).hexdigest()}
    with changing(pk, person, RUN) as member:
        campaign = member.campaign
        if earlier := Change.objects.filter(key=_key(key, 0), sequence=1).first():
            known = Seat.objects.filter(campaign=campaign, character__changes__key__in=[one for one, _ in parts])
            if not known or earlier.fingerprint != fingerprint_of(**what):
                raise KeyReused
            return list(known.select_related("character"))
        free = MOST_SEATS - campaign.seats.count()
        if len(parts) > free:
            raise Refused(
                f"At most {MOST_SEATS} characters sit at this table, and there is room for {free} more.", "file"
            )
        made = [import_within(person, one, part, what).character for one, part in parts]
        seats = [seat_for(campaign, one) for one in made]
        for seat in seats:
            sit_by_rules(seat, person)
        regrant(campaign)
    return seats


def _key(key: str, at: int) -> str:
    """The key for beginning one of the characters, derived from the form's key."""
    return hashlib.sha256(f"{key}:{at}".encode()).hexdigest()


def _read(person: Person, data: bytes, besides: list[str]) -> list[tuple[Ruleset, Act]]:
    """The ruleset and the Act of each character.

    Raises BadParty with the faults of the files. After a fault, reading stops once it has read as much as one file may
    hold, because a small zip can contain files that take minutes.
    """
    found: list[tuple[Ruleset, Act]] = []
    faults: list[tuple[str, list[str]]] = []
    read = 0
    for name, text in _files(data):
        read += len(text)
        if faults and read > LARGEST_FILE:
            break
        try:
            found.append(from_file(person, text, besides=besides))
        except BadFile as bad:
            sentences = [f"{one.where}: {one.text}" if one.where else one.text for one in bad.problems]
            faults.append((name, sentences))
    if faults:
        raise BadParty(faults)
    return found


def _files(data: bytes) -> list[tuple[str, bytes]]:
    """The character files of a zip; anything else in it is ignored."""
    try:
        archive = Zip(data)
        found = [one for one in archive.entries if one.filename.endswith(".json")]
        if not found:
            raise Refused("There is no character file in the zip.", "file")
        if len(found) > MOST_SEATS:
            raise Refused(f"There are more than {MOST_SEATS} character files in the zip.", "file")
        texts = archive.read(found, most=MOST_BYTES, each=LARGEST_FILE)
    except TooLarge as wrong:
        raise Refused("Unpacked, that is more than this site takes at once.", "file") from wrong
    except NotReadable as wrong:
        raise Refused("This is not a zip that this site can read.", "file") from wrong
    return [(one.filename[:80], text) for one, text in zip(found, texts, strict=True)]
