"""A choice as the page shows it: the question, and each option with the changes that it would bring."""

from dataclasses import dataclass, replace

from characters.pages.element_sign import sign
from characters.pages.rule_links import rule_url
from rules.engine import Decision
from rules.engine.content import Action, Choice, Effect, Element
from rules.engine.rank_table import rank_table
from rules.engine.sheet import ChoiceLine, Option
from rules.games.house_rules import setting
from rules.games.outcome import listed

from .builder_character import BuilderCharacter
from .diff_text import DiffText
from .previews import PROFICIENCIES, ComparedFacts, Preview, answers_to, facts, offered, previews
from .step_refusal import StepRefusal

# Options of these kinds are compared side by side.
COMPARED = {"lineage", "culture", "background"}
SHOWN_AT_ONCE = 4
IDEAS = 3
MOST_PICKS = 5  # of levels, on one page


@dataclass(frozen=True)
class OptionCard:
    """One option. `value` is what its button sends; `facts` are rows of a comparison."""

    id: str
    value: str
    name: str
    summary: str
    taken: bool
    why_not: str
    moves: tuple[DiffText, ...]
    more: tuple[DiffText, ...] = ()
    undoes: str = ""  # the answers that it would undo, listed
    facts: ComparedFacts = ()
    text: str = ""
    url: str = ""  # its page in the rules
    ranks: tuple[tuple[int, tuple[str, ...]], ...] = ()  # of a job: what each rank brings
    points: int = 0  # put on it so far, where points are spread
    sign: str = ""
    retired: bool = False


@dataclass(frozen=True)
class Question:
    anchor: str
    key: str
    level: int
    prompt: str
    origin: str
    needs: int
    made: int
    is_under: bool
    compares: bool
    brief: bool
    spread: bool
    write_in: bool
    cards: tuple[OptionCard, ...]
    words: tuple[str, ...]
    ideas: tuple[str, ...] = ()  # suggestions for the player's own words
    each: int = 1  # the most points on one option
    reminder: str = ""
    problems: tuple[str, ...] = ()
    error: str = ""
    typed: str = ""
    wrong_word: bool = False  # the error is about the player's own word

    @property
    def open(self) -> int:
        return max(0, self.needs - self.made)

    @property
    def full(self) -> bool:
        return not self.open

    @property
    def folds(self) -> bool:
        """True if the options that were not taken are folded away, because everything is chosen."""
        return self.full and not self.spread

    @property
    def taken(self) -> tuple[OptionCard, ...]:
        return tuple(card for card in self.cards if card.taken)

    @property
    def others(self) -> tuple[OptionCard, ...]:
        return tuple(card for card in self.cards if not card.taken)

    @property
    def word_error(self) -> str:
        """The refusal of the player's own word, if its field is on the page."""
        return self.error if self.wrong_word and self.write_in and (not self.full or self.single) else ""

    @property
    def forced(self) -> bool:
        """True if every option is taken, so there was nothing to choose. With a retired answer it is False: there may
        have been other options then."""
        only = not self.others and not any(card.retired for card in self.cards)
        return self.full and not self.spread and not self.write_in and only

    @property
    def single(self) -> bool:
        return self.needs == 1


def sections(opened: BuilderCharacter, step: str, refusal: StepRefusal) -> list[list[Question]]:
    """The questions of one step, each list headed by the question that raised the others.

    A reminder is shown once. A level's pick is changed on the page of levels; here it is shown only while it is
    unfinished, and only the first MOST_PICKS of them: a file may have left hundreds, and each option of each is
    previewed.
    """
    unfinished = [section for section in opened.sections[step] if not section.settled]
    placed = [section for section in unfinished if not section.root.choice.budget]
    placed += [section for section in unfinished if section.root.choice.budget][:MOST_PICKS]
    reminded: set[str] = set()
    found = []
    for section in placed:
        questions = []
        for position, line in enumerate(section.lines):
            one = _question(opened, line, refusal, is_under=bool(position))
            questions.append(replace(one, reminder="") if one.reminder and one.reminder in reminded else one)
            reminded.add(one.reminder)
        found.append(questions)
    return found


def _question(opened: BuilderCharacter, line: ChoiceLine, refusal: StepRefusal, *, is_under: bool) -> Question:
    choice, anchor = line.choice, opened.steps.anchor(line.choice.key, line.level)
    made, options = answers_to(opened.build, line), offered(opened, line)
    kinds = {option.ref.partition(":")[0] for option in options if option.ref}
    compares = bool(kinds) and kinds <= COMPARED
    refused = refusal.at(anchor)
    compared = facts(opened, line) if compares else {}
    # Until an option is taken, the comparison shows the same changes.
    shown = previews(opened, line) if line.made or not compares else {}
    cards = tuple(
        _card(opened, made, option, anchor, shown.get(option, Preview()), compared.get(option)) for option in options
    )
    return Question(
        anchor=anchor,
        key=choice.key,
        level=line.level,
        prompt=choice.prompt,
        origin=", ".join(line.path) if is_under else "",
        needs=line.needs,
        made=line.made,
        is_under=is_under,
        compares=compares,
        brief=bool(kinds) and kinds <= PROFICIENCIES,
        spread=choice.mode == "spread",
        write_in=choice.write_in,
        cards=cards,
        words=tuple(one.write_in for one in made if one.write_in),
        ideas=_ideas(opened, choice) if choice.write_in and line.open else (),
        each=choice.per_option_max,
        reminder=opened.steps.reminder(opened.bundle, opened.build, choice),
        problems=tuple(problem.text for _, place, problem in opened.problems if place == anchor),
        error=refused.sentence,
        typed=refused.posted.get("word", ""),
        wrong_word="write" in refused.posted,
    )


def _ideas(opened: BuilderCharacter, choice: Choice) -> tuple[str, ...]:
    """Suggestions for the player's own words that are not written yet."""
    written = {decision.write_in for decision in opened.build.decisions}
    words = [word for word in opened.game.chance.OWN_WORDS.get(choice.filter_kind, ()) if word not in written]
    return tuple(words[:IDEAS])


def _card(
    opened: BuilderCharacter,
    made: list[Decision],
    option: Option,
    anchor: str,
    preview: Preview,
    compared: ComparedFacts | None,
) -> OptionCard:
    element = opened.bundle.elements.get(option.ref)
    first = SHOWN_AT_ONCE if compared is None else 0
    replaces = compared is not None and not option.taken
    return OptionCard(
        id=option_id(anchor, option),
        value=option.target,
        name=option.name,
        summary=element.summary if element else "",
        taken=option.taken,
        why_not=option.why_not,
        moves=preview.moves[:first],
        more=preview.moves[first:] if first or replaces else (),
        undoes=listed(preview.undoes),
        facts=compared or (),
        text=element.text if element else "",
        url=rule_url(element.ref, opened.bundle) if element else "",
        ranks=_ranks(opened, element) if element and element.job else (),
        sign=sign(opened.bundle, element) if element and element.kind not in PROFICIENCIES else "",
        points=sum(one.points for one in made if option.stat and one.stat == option.stat),
        retired=element is not None and element.status == "retired",
    )


def option_id(place: str, option: Option) -> str:
    """The id of an option on its page, below the question or the way to spend a level that offers it."""
    return f"{place}-{option.target.replace(':', '-').replace('.', '-')}"


def _ranks(opened: BuilderCharacter, job: Element) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """The rank table of a job under the house rules in force: all that each rank brings."""

    def settled[Row: (Effect, Choice, Action)](rows: tuple[Row, ...]) -> tuple[Row, ...]:
        allowed = [(row, _still_asked(opened, row.when)) for row in rows if _in_force(opened, row.when)]
        return tuple(row if when == row.when else replace(row, when=when) for row, when in allowed)

    parts = replace(job, effects=settled(job.effects), choices=settled(job.choices), actions=settled(job.actions))
    table = rank_table(parts, opened.bundle)
    return tuple((rank, tuple(dict.fromkeys(one.words for one in brought))) for rank, brought in table)


def _still_asked(opened: BuilderCharacter, when: str) -> str:
    """The circumstance, or "" if only house rules decide it."""
    circumstance = opened.bundle.circumstances.get(when)
    tests = circumstance.tests if circumstance else ()
    return "" if tests and all(test.test == "switch" for test in tests) else when


def _in_force(opened: BuilderCharacter, when: str) -> bool:
    """True if the house rules allow this circumstance, whatever its other tests say."""
    circumstance = opened.bundle.circumstances.get(when)
    for test in circumstance.tests if circumstance else ():
        if test.test == "switch" and test.switch in opened.bundle.switches:
            value = setting(opened.bundle, opened.build, test.switch)
            if (value in test.word.split("|")) == test.negate:
                return False
    return True
