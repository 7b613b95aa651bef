"""A character at the table: what its live pages show besides the sheet, such as the newest change and its rolls."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cached_property
from operator import itemgetter
from typing import Self

from django.http import Http404
from django.utils import timezone

from characters.access import ANSWER, companions, role_found
from characters.actions.log import StoredLog
from characters.actions.proposals import WaitingProposal, none_open, stamp_of, waiting_of
from characters.actions.registry import actions_of
from characters.change import history_entries, roll_log
from characters.models import Change, RollRecord
from characters.pages.levels.overview import LevelSummary, level_summary
from characters.people import Person
from characters.read import version_cache
from characters.read.open import OpenCharacter
from characters.read.versions import version_number
from rules.games.contract import PageRules
from rules.games.outcome import Rolled
from rules.games.table_action import LoggedRoll

NEWS = timedelta(minutes=5)  # later, a change is only in the history


@dataclass(frozen=True)
class RollSummary:
    """A roll with what was added to it: `first` names it, `last` is how it is now; `might` is the gain of one point
    spent on it.

    how_far: the result without a target, in words. tie: both sides have the same result. fumble: it goes badly wrong.
    settled: nothing more can be bought for it. offers: the features that may change it.
    """

    first: RollRecord
    last: RollRecord
    might: object
    tie: bool
    fumble: bool
    settled: bool
    offers: tuple[object, ...]
    how_far: str


@dataclass(frozen=True)
class LiveCharacter(OpenCharacter):
    """`made` is the change that made this version, if the caller has it."""

    made: Change | None = None

    @classmethod
    def after(cls, change: Change, visitor: Person) -> Self:
        """The character after a change that this visitor made, just now or when the same form was sent before.

        If the change is new, its version is in the cache, with the rules under which it was made.
        """
        character, role = change.character, role_found(change.character, visitor)
        version = version_cache.find(character.pk, version_number(character))
        live = cls(character, visitor, role, version) if version else cls.of(character, visitor, role)
        return replace(live, made=change) if change.sequence == live.character.version else live

    @cached_property
    def others(self) -> dict[int, str]:
        """Names of other characters that this person may see, by id: those that a relationship may lead to."""
        linked = [one["linked"] for one in self.version.prose["relationship"] if one["linked"]]
        return dict(sorted(companions(self.character, self.visitor, linked).items(), key=itemgetter(1, 0)))

    @cached_property
    def latest(self) -> Change | None:
        """The newest change, offered for undoing."""
        return self.made or history_entries.LATEST.first(self.character.pk)

    @property
    def recent(self) -> bool:
        """True while the newest change may be news."""
        return self.made is not None or timezone.now() - self.character.changed_at < NEWS

    @property
    def news(self) -> Change | None:
        """The newest change, while the foot of the sheet shows it or offers to undo it."""
        latest = self.latest if self.recent else None
        return latest if self.made or (latest and latest.may_be_undone) else None

    @cached_property
    def last_roll(self) -> RollSummary | None:
        chain = roll_log.newest_visible(self.character, self.visitor)
        return self.summary_of(chain) if chain else None

    @cached_property
    def log(self) -> StoredLog:
        return StoredLog(self.character)

    @cached_property
    def last_save(self) -> list[LoggedRoll]:
        """The newest roll that decided over the character's life, with what was added to it."""
        return self.log.newest(self.game.consequences.DECISIVE)

    @cached_property
    def may_be_turned(self) -> bool:
        """True if `last_save` is a failure that can still be turned; an older one never can."""
        rules = self.game.page_rules
        return rules is not None and rules.may_be_turned(self.log, self.build, self.last_save)

    @cached_property
    def save_decides(self) -> bool:
        """True if the character's life still hangs on `last_save`."""
        return self.game.consequences.decides(self.log, self.build, self.last_save)

    @cached_property
    def latest_roll(self) -> RollSummary | None:
        """The roll that the newest change made, added to, undid or did again; None if it did none of this."""
        if self.latest is None or not self.latest.rolled:
            return None
        chain = roll_log.chain_of_change(self.latest.root_id or self.latest.pk, self.visitor)
        return self.summary_of(chain) if chain else None

    def rolls(self, most: int, before: int | None = None) -> list[RollSummary]:
        chains = roll_log.log_of(self.character, self.visitor, before=before, most=most)
        return [self.summary_of(chain) for chain in chains]

    def summary_of(self, chain: Sequence[RollRecord]) -> RollSummary:
        last, rules = roll_log.rolled_of(chain[-1]), (self.bundle, self.build)
        might, tie = self.game.play.might_become(*rules, last), self.game.play.is_tie(*rules, last)
        settled = chain[0].kind == self.game.consequences.DECISIVE and not (
            might and chain[-1].pk == self.last_save[-1].number and self.save_decides
        )
        fumble = self.game.play.is_fumble(*rules, last)
        how_far, offers = self.game.play.how_far(*rules, last), self.offers(chain, last, settled)
        return RollSummary(chain[0], chain[-1], might, tie, fumble, settled, offers, how_far)

    def offers(self, chain: Sequence[RollRecord], last: Rolled, settled: bool) -> tuple[object, ...]:
        """The features that may change this roll; none if a turn has begun since."""
        if settled:
            return ()
        offers = self.game.play.offers(self.bundle, self.build, self.sheet, last)
        newest = chain[-1].change.sequence == self.character.version
        now = offers and (newest or chain[0].change.sequence > self.turn_began)
        return offers if now else ()

    @cached_property
    def turn_began(self) -> int:
        """The number of the change that began the present turn; 0 if none has begun."""
        rules = self.game.page_rules
        return self.log.newest_of(*rules.TURN_BEGINS) if rules else 0

    @property
    def page_rules(self) -> PageRules:
        """The rules behind the pages that not every game has; Http404 in a game without them."""
        if self.game.page_rules is None:
            raise Http404("This game has no such page.")
        return self.game.page_rules

    @cached_property
    def proposals(self) -> list[WaitingProposal]:
        """The proposals that wait for this visitor's answer."""
        if not self.answers or none_open(self.proposals_stamp):
            return []
        return waiting_of(self.character, self.version, self.visitor)

    @property
    def answers(self) -> bool:
        """True if this visitor may answer what is proposed to the character."""
        return self.role.may(ANSWER)

    @cached_property
    def proposals_stamp(self) -> str:
        """A text that changes whenever a proposal to the character comes or is answered."""
        return stamp_of(self.character.pk)

    @property
    def keys(self) -> list[tuple[str, str]]:
        """The letters that lead to an action, each with its line in the list of keys."""
        return [action.key for action in actions_of(self.game.name).values() if action.key[0]]

    @cached_property
    def level_summary(self) -> LevelSummary:
        return level_summary(self.bundle, self.build, self.sheet)
