"""A single roll that the sheet does not list: any ability with any skill, knowledge or tool."""

from rules.systems import system_of

from .build import Build
from .bundle import Bundle
from .content import Ref
from .gather import gather
from .rows import collect
from .sheet import Roll
from .solve import Solver


def roll_for(bundle: Bundle, build: Build, ability: Ref, subject: Ref = "") -> Roll:
    """The check with `ability` and `subject` (a skill, knowledge or tool; none for a bare check), explained.

    The storyteller may call for another ability than the usual one (section 12) and names the ability for tools
    (section 14). Raises KeyError for an ability or subject that is not in the rules.
    """
    system = system_of(bundle.system)
    found = gather(bundle, build, system.level_of(bundle, build))
    solver = Solver(found, collect(found), system.given(found))
    return system.check(solver, ability, subject)  # type: ignore[no-any-return]
