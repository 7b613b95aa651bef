"""The roster of a party: each character's figures, as its game picks them. Thirty take no more queries than three."""

from collections.abc import Sequence
from dataclasses import dataclass

from campaigns.models import Campaign, RolledSet, Seat
from campaigns.models.seat import proof_of
from campaigns.new_characters import Terms, sets_of, terms_of
from campaigns.seen_party import SeenParty
from campaigns.verbs.seats import is_lent
from characters.actions.together import Deed, deeds_of
from characters.actions.xp import ADD_XP
from characters.models import Change, Character
from characters.read.explanations import with_grip
from characters.read.number_format import of_roll
from characters.read.party import newest_changes, versions_of
from characters.read.versions import Version, version_number
from characters.verbs.followed_rules import differing
from rules.games.rows import Figure

MOST_PIPS = 6  # a figure with more than this is drawn as a bar


def in_words(version: Version) -> str:
    """`Level 2, Human, Ambassador, Fighter`; choices that are still open are left out."""
    game = version.bundle.game
    level, words = game.levels.in_words(version.sheet.level), game.steps.in_words(version.bundle, version.sheet)
    return ", ".join(filter(None, (level, words)))


@dataclass(frozen=True)
class RosterRow:
    """One character on the roster. name: told apart from others at the table. latest: the newest change, if the reader
    may see the history. dice: the set that the table has rolled for it."""

    seat: Seat
    character: Character
    name: str
    version: Version
    plays: bool
    mine: bool
    latest: Change | None
    terms: Terms
    dice: RolledSet | None

    @property
    def number(self) -> str:
        return version_number(self.character)

    @property
    def words(self) -> str:
        return in_words(self.version)

    @property
    def figures(self) -> list[tuple[Figure, range | None, range | None]]:
        """Each figure, with its pips (on and off) if they are few."""
        game = self.version.bundle.game
        found = game.roster(self.version.bundle, self.version.build, self.version.sheet)
        return [
            (one, range(one.left), range(max(one.most - one.left, 0)))
            if 0 < one.most <= MOST_PIPS
            else (one, None, None)
            for one in found
        ]

    @property
    def rolls(self) -> list[tuple[str, list[str]]]:
        """The rolls in short, for paper: saves, skills and attacks."""
        sheet, steps = self.version.sheet, self.version.bundle.game.steps
        named = [(one.key, f"{one.name} {of_roll(one)}") for one in sheet.rolls.values()]
        attacks = [f"{with_grip(one.name, one.grip)} {of_roll(one.roll)} for {one.damage}" for one in sheet.attacks]
        found = {
            "Saves": [text for key, text in named if key.startswith(steps.SAVES)],
            "Skills": [text for key, text in named if key.startswith(steps.SKILLS)],
            "Attacks": list(dict.fromkeys(attacks)),
        }
        return [(title, texts) for title, texts in found.items() if texts]

    @property
    def deviates(self) -> bool:
        """True if it plays by other house rules than the table."""
        rules, version = self.terms.house_rules, self.version
        if rules is None or self.terms.campaign.ruleset != self.character.ruleset:
            return False
        return differing(version.bundle, version.build, rules.switches, self.terms.sources)

    @property
    def off_terms(self) -> str:
        return self.terms.off(self.version, self.seat.level)

    @property
    def other_dice(self) -> bool:
        return self.terms.other_dice(self.version, self.dice)

    @property
    def may_get_dice(self) -> bool:
        """True if its player may use the table's dice instead of its own."""
        return self.dice is not None and self.mine and not self.dice.is_of(self.version.build)

    @property
    def proof(self) -> str:
        return proof_of(self.seat, self.character)

    @property
    def lent(self) -> bool:
        return is_lent(self.seat)

    @property
    def exception(self) -> str:
        """The reason for its exception from the table's rules; "" if there is none."""
        return self.seat.exception.reason if hasattr(self.seat, "exception") else ""

    @property
    def open(self) -> int:
        return len(self.version.page.missing)

    @property
    def problems(self) -> int:
        return len(self.version.page.problems)


def rows_of(party: SeenParty, *, only: int | None = None) -> list[RosterRow]:
    """The characters that this person sees at the table, in the order in which they sat down; with `only`, the one in
    the seat with this id."""
    everyone, terms = party.everyone, terms_of(party.campaign)
    seats = [one for pk, one in party.seats.items() if pk in everyone and only in (None, one.pk)]
    versions = versions_of([everyone[one.character_id] for one in seats])
    changes = newest_changes([one for pk, one in party.characters.items() if pk in versions])
    dice = sets_of(terms)
    return [
        RosterRow(
            seat,
            everyone[seat.character_id],
            party.names[seat.character_id],
            versions[seat.character_id],
            seat.character_id in party.characters,
            seat.member_id == party.member.pk,
            changes.get(seat.character_id),
            terms,
            dice.get(None if terms.shared else seat.member_id),
        )
        for seat in seats
    ]


def deeds_at(campaign: Campaign, rows: Sequence[RosterRow]) -> dict[str, Deed]:
    """Every deed that one of these characters' games has; the table's game comes first for a deed that several have. XP
    is left out if none of these characters uses it."""
    found: dict[str, Deed] = {}
    games = dict.fromkeys(row.character.ruleset.game for row in rows)
    for game in sorted(games, key=lambda game: game != campaign.ruleset.game):
        found = {**deeds_of(game), **found}
    if all(row.version.page.identity.xp is None for row in rows):
        found.pop(ADD_XP.name, None)
    return found
