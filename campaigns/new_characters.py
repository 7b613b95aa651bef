"""The start of a character made at a table: the table's house rules and its terms."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from campaigns.models import Campaign, CampaignRules, CampaignTerms, RolledSet
from campaigns.verbs.table_rules import rules_of, sources_of
from characters.read.versions import Version
from rules.compile import bundle_for
from rules.engine import Build, Bundle
from rules.engine.phrases import setting_words
from rules.games.contract import SHARED, Game


@dataclass(frozen=True)
class Terms:
    """The terms of a table. `house_rules` and `decided` are None if the table has not decided on them; then the game's
    defaults apply."""

    campaign: Campaign
    house_rules: CampaignRules | None
    sources: frozenset[str]  # besides the core
    decided: CampaignTerms | None

    @cached_property
    def bundle(self) -> Bundle:
        return bundle_for(self.campaign.ruleset, self.sources)

    @property
    def game(self) -> Game:
        return self.bundle.game

    @property
    def starting_switches(self) -> Mapping[str, str]:
        """The house rules on how a character begins, where they differ from their defaults."""
        return self.decided.switches if self.decided else {}

    @property
    def switches(self) -> dict[str, str]:
        """Every house rule of a character that begins here."""
        return {**(self.house_rules.switches if self.house_rules else {}), **self.starting_switches}

    @property
    def more_xp(self) -> int:
        """0 if levels are handed out instead of experience."""
        return self.decided.more_xp if self.decided and not self.by_milestone else 0

    @property
    def by_milestone(self) -> bool:
        return self.game.levels.by_milestone(self.bundle, Build(switches=self.switches))

    @property
    def to_decide(self) -> bool:
        """True if there is anything to decide."""
        return not self.by_milestone or any(key in self.bundle.switches for key in self.game.terms)

    @cached_property
    def beginning(self) -> Build:
        start = self.game.levels.at_start(self.bundle, Build(switches=self.switches, sources=self.sources))
        return replace(start, xp=start.xp + self.more_xp)

    @cached_property
    def level(self) -> int:
        return self.game.levels.level_of(self.bundle, self.beginning)

    @property
    def rolling_mode(self) -> str:
        """EACH if a set of dice is rolled for every player, SHARED if one is rolled for the table; "" for neither."""
        build = Build(switches=self.switches, sources=self.sources)
        return self.game.rolling.at_table(self.bundle, build)

    @property
    def shared(self) -> bool:
        """True if everyone has the table's dice."""
        return self.rolling_mode == SHARED

    @property
    def lines(self) -> list[tuple[str, str]]:
        """The terms in words: name and value of the level, the XP, and each rule that is not at its default."""
        found = [(self.game.levels.NAME.capitalize(), str(self.level))] if self.game.has_levels else []
        if self.beginning.xp:
            found.append((self.game.levels.POINTS, f"{self.beginning.xp:,}"))
        for rule in filter(None, map(self.bundle.switches.get, self.game.creation.TERMS)):
            value = self.starting_switches.get(rule.key, rule.default)
            if value != rule.default:
                found.append((rule.name, setting_words(rule, value)))
        return found

    def off(self, version: Version, came_at: int | None) -> str:
        """The way in which a character differs from these terms, in words; "" if it does not.

        `came_at` is the level at which it sat down: levels gained since do not put it above the terms.
        """
        if self.decided is None or version.bundle.game is not self.game:
            return ""
        level = version.sheet.level
        if level < self.level:
            return f"Below the starting {self.game.levels.NAME} of {self.level}"
        if came_at is not None and min(level, came_at) > self.level:
            return f"Began above {self.game.levels.NAME} {self.level}"
        return f"{self.game.creation.RANK.capitalize()}s found another way" if self._ranks_differ(version) else ""

    def other_dice(self, version: Version, dice: RolledSet | None) -> bool:
        """True if the ranks come from dice other than those the table has for this character."""
        if not self.rolling_mode or version.bundle.game is not self.game or version.build.method != "rolled":
            return False
        again = self.game.rolling.may_roll_again(self.bundle, Build(switches=self.switches))
        return not again and not (dice and dice.is_of(version.build))

    def _ranks_differ(self, version: Version) -> bool:
        kept = {key: value for key, value in version.build.switches.items() if key not in self.game.terms}
        problems = self.game.creation.rank_problems
        here = problems(version.bundle, replace(version.build, switches={**kept, **self.starting_switches}))
        return bool(set(here) - set(problems(version.bundle, version.build)))


def terms_of(campaign: Campaign) -> Terms:
    rules = rules_of(campaign)
    decided = CampaignTerms.objects.filter(campaign=campaign).first()
    return Terms(campaign, rules, sources_of(rules) if rules else frozenset(), decided)


def sets_of(terms: Terms) -> dict[int | None, RolledSet]:
    """The dice in use at these terms, by member; those under None are the whole table's."""
    return {one.member_id: one for one in ever_rolled(terms) if one.replaced_at is None}


def ever_rolled(terms: Terms) -> list[RolledSet]:
    """Every set of dice rolled in the mode of these terms, grouped by member, the newest first."""
    if not terms.rolling_mode:
        return []
    found = RolledSet.objects.filter(campaign=terms.campaign, member__isnull=terms.shared)
    return list(found.select_related("campaign__ruleset", "member", "replaced_by").order_by("member", "-pk"))
