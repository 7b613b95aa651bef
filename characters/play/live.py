"""A character on the table: everything that its live pages show, derived once for each version."""

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from operator import itemgetter

from django.urls import reverse

from characters import history, rolls
from characters.access import Role, companions, playable, role_of
from characters.actions.log import Log
from characters.actions.registry import actions_of
from characters.levels.overview import Standing, standing
from characters.models import Change, Character, RollRecord
from characters.people import Person, person_of
from characters.versions import Version, keep, kept, known, read, version_of
from characters.views.reading import Opened
from rules.games.action import Entry


@lru_cache(1000)
def path_of(pk: int) -> str:
    """Of a sheet. Every answer asks for it, and to find it among all addresses is a fortieth of its time."""
    return reverse("characters:sheet", args=[pk])


@dataclass(frozen=True)
class Told:
    """A roll with what was added to it: `first` names it, `last` is how it stands; `might`: what one point would do.

    tie: both sides came to the same. fumble: it goes badly wrong. settled: nothing more can be bought for it.
    offers: the features that may change it.
    """

    first: RollRecord
    last: RollRecord
    added: int
    might: object
    tie: bool
    fumble: bool
    settled: bool
    offers: tuple


@dataclass(frozen=True)
class Live:
    """`made` is the change that made this version, where it is at hand."""

    character: Character
    person: Person
    shown: Version
    made: Change | None = None

    @property
    def version(self) -> str:
        return version_of(self.character)

    @cached_property
    def role(self) -> Role:
        return role_of(self.character, self.person)

    @cached_property
    def opened(self) -> Opened:
        return Opened(self.character, path_of(self.character.pk), self.role)

    @cached_property
    def others(self) -> dict[int, str]:
        """Other characters that this person may see, by name: what a relationship may lead to."""
        linked = [tie["linked"] for tie in self.shown.prose["relationship"] if tie["linked"]]
        return dict(sorted(companions(self.character, self.person, linked).items(), key=itemgetter(1, 0)))

    @cached_property
    def latest(self) -> Change | None:
        """The newest change, offered for undoing."""
        return self.made or history.latest(self.character)

    @cached_property
    def last_roll(self) -> Told | None:
        chain = rolls.last(self.character, self.person)
        return self.told(chain) if chain else None

    @cached_property
    def log(self) -> Log:
        return Log(self.character)

    @cached_property
    def last_save(self) -> list[Entry]:
        """The newest roll that decided over the life, with what was added to it."""
        return self.log.newest(self._play.DECISIVE)

    @cached_property
    def may_be_turned(self) -> bool:
        """Whether that is a failure that can still be turned; no older one can."""
        return self._play.may_be_turned(self.log, self.shown.build, self.last_save)

    @cached_property
    def save_decides(self) -> bool:
        """Whether that is still what the character's life hangs on."""
        return self._play.decides(self.log, self.shown.build, self.last_save)

    @cached_property
    def latest_roll(self) -> Told | None:
        """The newest roll, when it is what happened last, or when something of it was undone or done again last."""
        if self.latest is None:
            return None
        chain = rolls.of(self.latest.root_id or self.latest.pk, self.person)
        return self.told(chain) if chain else None

    def rolls(self, most: int, before: int | None = None) -> list[Told]:
        chains = rolls.log_of(self.character, self.person, before=before, most=most)
        return [self.told(chain) for chain in chains]

    def told(self, chain) -> Told:
        last, rules = rolls.rolled_of(chain[-1]), (self.shown.bundle, self.shown.build)
        might, tie = self._play.might_become(*rules, last), self._play.is_tie(*rules, last)
        settled = chain[0].kind == self._play.DECISIVE and not (
            might and chain[-1].pk == self.last_save[-1].number and self.save_decides
        )
        fumble = self._play.is_fumble(*rules, last)
        return Told(chain[0], chain[-1], len(chain) - 1, might, tie, fumble, settled, self.offers(chain, last, settled))

    def offers(self, chain, last, settled) -> tuple:
        """The features that may change this roll; none once a turn has begun since."""
        if settled:
            return ()
        offers = self._play.offers(self.shown.bundle, self.shown.build, self.shown.sheet, last)
        newest = chain[-1].change.sequence == self.character.version
        now = offers and (newest or chain[0].change.sequence > self.turn_began)
        return offers if now else ()

    @cached_property
    def turn_began(self) -> int:
        """The number of the change with which the turn began that goes on; 0 where none has."""
        return self.log.newest_of(*self._play.TURN_BEGINS)

    @property
    def keys(self) -> list[tuple[str, str]]:
        """The letters that lead to an action, with what the list of keys says of each."""
        return [action.key for action in actions_of(self.shown.bundle.game.name).values() if action.key[0]]

    @property
    def _play(self):
        return self.shown.bundle.game.play

    @cached_property
    def standing(self) -> Standing:
        return standing(self.shown.bundle, self.shown.build, self.shown.sheet)


def open_live(request, pk) -> Live:
    """The character that this visitor may play, else 404."""
    person = person_of(request)
    return live_of(playable(pk, person), person)


def live_after(change: Change, person: Person) -> Live:
    """The character of a change that this person has made, now or when the same form came before."""
    character = change.character
    version = kept(character.pk, version_of(character))
    live = live_of(character, person) if version is None else Live(character, person, version)
    return replace(live, made=change) if change.sequence == live.character.version else live


def live_of(character: Character, person: Person) -> Live:
    """Read once for each version: facts and version are two readings, so when a change came between, read again."""
    version = known(character)
    if version is None:
        version = read(character)
        now = Character.objects.select_related("ruleset").get(pk=character.pk)
        if version_of(now) != version_of(character):
            return live_of(now, person)
        keep(character, version)
    return Live(character, person, version)
