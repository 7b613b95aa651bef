"""The matrix of rights: every address of the site, with the status of the answer for every role.

A line gives the statuses in the order of ROLES, and the method and body of the request. The arguments of an address
come from the fixture `arguments` (tests/support/visitors.py), by name.
"""

from dataclasses import dataclass, field

from characters.actions.registry import action_names, actions_of
from tests.support.characters import SAMPLES

OF_THE_SITE = ("anonymous", "owner", "stranger", "staff", "admin")
# The roles that an owner or a campaign grants: rows of Grant.
READING, GRANTED = ("reader", "party", "spectator"), ("reader", "party", "spectator", "storyteller")
ROLES = (*OF_THE_SITE, *GRANTED, "removed")


@dataclass(frozen=True)
class Line:
    statuses: tuple
    method: str = "get"
    data: dict = field(default_factory=dict)
    where: dict = field(default_factory=dict)  # arguments of the URL, where they differ from the fixture's


def line(*statuses, readers=None, storyteller=None, **more):
    """A line from the statuses of the site's own roles. The roles of grants default to the status of a stranger."""
    stranger = statuses[OF_THE_SITE.index("stranger")]
    granted = [stranger if readers is None else readers] * len(READING)
    return Line((*statuses, *granted, stranger if storyteller is None else storyteller, stranger), **more)


def public(status=200):
    return line(*[status] * 5)


def signed_in(status=200):
    """Anonymous visitors are sent to sign in."""
    return line(302, status, status, status, status)


def with_account(**where):
    """A page of your own account; anonymous visitors are sent to sign in."""
    return line(302, 200, 200, 200, 200, where=where)


def signed_out():
    """A page for signing in. People who are signed in already are redirected."""
    return line(200, 302, 302, 302, 302)


def read(status=200, **where):
    """A page for reading a character. Only people who may see the character find it; staff may not."""
    return line(404, status, 404, 404, 404, readers=status, storyteller=status, where=where)


def kept(status=200, **where):
    """A page for playing a character. Only people who may play it find it; staff may not."""
    return line(404, status, 404, 404, 404, storyteller=status, where=where)


def sample(**where):
    return line(*[200] * 5, where={"slug": SAMPLES[0], **where})


KEY = "a-key-that-is-long-enough"
NONE = 999_999  # no such row


def posted(status=303, /, where=None, **data):
    """A change that the owner and players of a character may make. A visitor without an account is told to sign in,
    whether or not it exists."""
    how = {"method": "post", "data": data, "where": where or {}}
    return line(401, status, 404, 404, 404, storyteller=status, **how)


def owned(status=303, **data):
    """A change that only the owner of a character may make."""
    return line(401, status, 404, 404, 404, method="post", data=data)


def begun(**where):
    """A form that begins a character; anyone may."""
    return line(*[303] * 5, method="post", data={}, where=where)


def seated(status=200, **where):
    """A page of a table. The character's owner is the table's storyteller; the character's storyteller is its
    co-storyteller."""
    sits = {"party": status, "spectator": status, "reader": 404}
    statuses = [404, status, 404, 404, 404, *(sits[role] for role in READING), status, 404]
    return Line(tuple(statuses), where=where)


def leads(status=200, **where):
    """A page for only the storyteller."""
    return line(404, status, 404, 404, 404, where=where)


def led(status=303, **data):
    """A change that only the storyteller may make."""
    return line(401, status, 404, 404, 404, method="post", data=data)


def runs(status=200, **where):
    """A page for people who run the table."""
    return line(404, status, 404, 404, 404, storyteller=status, where=where)


def run(status=303, /, where=None, **data):
    """A change that people who run the table may make."""
    how = {"method": "post", "data": data, "where": where or {}}
    return line(401, status, 404, 404, 404, storyteller=status, **how)


def sits_up(status=303, **data):
    """A change that everyone at the table may make."""
    statuses = [status if found == 200 else found for found in seated().statuses]
    return Line((401, *statuses[1:]), method="post", data=data)


def has_sat(status=303, **data):
    """A change that everyone at the table may make, and people who were removed from it."""
    return Line((*sits_up(status).statuses[:-1], status), method="post", data=data)


def at_table(player, runner, spectator, **data):
    """A change whose address everyone at the table finds; the verb then checks their role."""
    found = {"party": player, "spectator": spectator, "reader": 404}
    statuses = [401, runner, 404, 404, 404, *(found[role] for role in READING), runner, 404]
    return Line(tuple(statuses), method="post", data=data)


RANKS = {f"rank.{name}": 10 for name in ("strength", "agility", "vitality", "mind", "spirit", "presence")}

# The actions at the table. The character is whole, so actions that need wounds, dying or a rest are refused.
PLAYED = {
    "play-take-damage": posted(amount="1"),
    "play-heal": posted(422, amount="1"),
    "play-change-health": posted(amount="-1"),
    "play-adjust": posted(resource="health", by="-1"),
    "play-use": posted(422, action="no-such-action"),
    "play-death-save": posted(422),
    "play-cheat-death": posted(422),
    "play-stabilize": posted(422),
    "play-add-condition": posted(condition="condition:prone"),
    "play-remove-condition": posted(422, condition="condition:prone"),
    "play-toggle": posted(switch="+half-cover"),
    "play-next-round": posted(),
    "play-move": posted(far=15),
    "play-notice": posted(stealth=40),
    "play-fall": posted(feet=10, faces="3"),
    "play-begin-rest": posted(rest="short-rest"),
    "play-spend-rest-die": posted(422),
    "play-treat-wounds": posted(422),
    "play-finish-rest": posted(422),
    "play-long-rest": posted(),
    "play-end-adventure": posted(),
    "play-spend-downtime": posted(days=1, activity="Training"),
    "play-roll": posted(roll="initiative"),
    "play-extra-die": posted(422, roll=NONE),
    "play-nudge": posted(422, roll=NONE),
    "play-turn-critical": posted(422, roll=NONE),
    "play-change-roll": posted(422, roll=NONE, action="dueling"),
    "play-detail": posted(422, roll=NONE),
    "play-nudge-elsewhere": posted(up="yes"),
    "play-turn-aside": posted(422),
    "play-extra-turn": posted(),
    "play-declare": posted(422, aspect=f"aspect:{NONE}"),
    "play-compel": posted(words="Greedy", accept="yes"),
    "play-regain": posted(422),
    "play-equip": posted(422, item=NONE, state="carried"),
    "play-set-quantity": posted(422, item=NONE, quantity=2),
    "play-remove-item": posted(422, item=NONE),
    "play-reload": posted(422, item=NONE),
    "play-add-item": posted(custom="A letter"),
    "play-gather-ammunition": posted(422, search="yes"),
    "play-purchase-together": posted(422, ref="gear:torch", ranks=""),
    "play-add-aspect": posted(kind="flaw", text="Proud"),
    "play-add-relationship": posted(other="Bo", based_on="bond", text="Friends"),
    "play-add-spell": posted(name="Light"),
    "play-learn-spell": posted(422, ref="spell:none"),
    "play-edit-spell": posted(422, spell=NONE),
    "play-remove-spell": posted(422, spell=NONE),
    "play-agree": posted(422, relationship=NONE),
    "play-link": posted(422, relationship=NONE),
    "play-add-note": posted(text="Hello"),
    "play-remove": posted(422, address=f"note:{NONE}"),
    "play-edit": posted(422, address=f"note:{NONE}", text="Hello", was="x"),
    "play-undo": posted(422, change=1),
    "play-mark": posted(name="last night"),
}

# A character of this game has no page for an action of another game.
OF_ANOTHER_GAME = {
    f"play-{name.replace('_', '-')}": posted(404) for name in action_names() - actions_of("polyhedral").keys()
}

MATRIX = {
    "home": public(),
    "style": public(),
    "characters:list": public(),
    "characters:start": begun(),
    "characters:surprise": begun(),
    "characters:copy-sample": begun(slug=SAMPLES[0]),
    "characters:copy": line(401, 303, 404, 404, 404, readers=303, storyteller=303, method="post"),
    "characters:rename": posted(name="Nell"),
    "characters:bin": owned(),
    "characters:restore": owned(404),  # it is not in the bin
    "characters:build": kept(step="origin"),
    "characters:choose": posted(choice="core-rules.disposition", level=1, take="disposition:good"),
    "characters:name": posted(name="Nell"),
    "characters:aspect": posted(kind="trait", text="Hums"),
    "characters:roll-aspects": posted(422),  # it has one of each
    "characters:ranks": posted(method="points", **RANKS),
    "characters:dice": posted(),
    "characters:buy": posted(custom="A letter"),
    "characters:outfit": posted(422),  # nothing was seen
    "characters:item": posted(422, item=NONE, state="carried"),
    "characters:levels": kept(),
    "characters:experience": posted(amount="100"),
    "characters:milestone": posted(level="3"),
    "characters:take-back-level": posted(422, level="2"),  # none is taken
    "characters:change-level": kept(404, level=2),  # it is not taken
    "characters:gained": kept(sequence=2),
    "characters:drop-answer": posted(422, {"level": 2}, choice="x"),
    "characters:level-up": kept(),
    "characters:plan": kept(),
    "characters:forget-plan": posted(422, level="2"),  # nothing is planned
    "characters:plan-level": kept(level=2),
    "characters:take-planned": posted(409, {"level": 2}, saw="old:1"),
    "characters:face": kept(),
    "characters:picture": read(404, digest="0" * 64),  # it has another
    "characters:upload": public(),
    "characters:download-all": line(404, 200, 404, 404, 404),
    "characters:share": line(404, 200, 404, 404, 404),
    "characters:make-link": owned(200),
    "characters:end-link": owned(),
    # By a link: open to everyone who has it.
    "characters:shared": public(),
    "characters:shared-picture": line(*[404] * 5, where={"digest": "0" * 64}),
    "characters:shared-explain": line(*[200] * 5, where={"key": "defense"}),
    "characters:shared-odds": line(*[200] * 5, where={"key": "initiative"}),
    "characters:copy-shared": begun(),
    "characters:sheet": read(),
    "characters:explain": read(key="defense"),
    "characters:odds": read(key="initiative"),
    "characters:download": read(),
    "characters:at": read(level=1),
    "characters:at-explain": read(level=1, key="defense"),
    "characters:at-odds": read(level=1, key="initiative"),
    "characters:timeline": read(),
    "characters:compare": read(),
    "characters:can-take": kept(),
    "characters:can-take-which": public(),
    "characters:house-rules": kept(),
    "characters:change-house-rules": posted(422),  # not one value is sent
    "characters:sources": kept(),
    "characters:change-sources": posted(422),  # its form is empty, and there is homebrew to choose
    "characters:watch": line(401, 200, 404, 404, 404, storyteller=200),
    "characters:proposed": kept(),
    "characters:answer-proposal": posted(404, {"proposal": NONE}),
    "characters:glance": kept(),
    "characters:introduction": kept(),
    "characters:looked": owned(number="1"),
    "characters:rest": kept(),
    "characters:downtime": kept(),
    "characters:pool": kept(),
    "characters:history": kept(),
    "characters:since": kept(sequence=1),
    "characters:rolls": kept(),
    "characters:prepare-roll": kept(key="initiative"),
    **{f"characters:{name}": line for name, line in (PLAYED | OF_ANOTHER_GAME).items()},
    "characters:sample": sample(),
    "characters:sample-explain": sample(key="defense"),
    "characters:sample-odds": sample(key="initiative"),
    "characters:sample-download": sample(),
    "characters:sample-picture": line(*[404] * 5, where={"slug": SAMPLES[0], "digest": "0" * 64}),
    "characters:sample-at": sample(level=1),
    "characters:sample-at-explain": sample(level=1, key="defense"),
    "characters:sample-at-odds": sample(level=1, key="initiative"),
    "characters:sample-timeline": sample(),
    "characters:sample-compare": sample(),
    "campaigns:list": public(),
    "campaigns:begin": signed_in(),
    "campaigns:campaign": seated(),
    "campaigns:settings": leads(),
    "campaigns:face": leads(),
    "campaigns:picture": seated(404, digest="0" * 64),  # it has none
    "campaigns:join-picture": line(*[404] * 5, where={"digest": "0" * 64}),
    "campaigns:archive": led(),
    "campaigns:bin": led(),
    "campaigns:restore": led(),
    "campaigns:people": runs(),
    "campaigns:invite": run(200, role="player", most=1, days=1),
    "campaigns:revoke": run(),
    "campaigns:remove": run(404, where={"member": NONE}),
    "campaigns:make-player": line(401, *[404] * 4, method="post", where={"member": NONE}),
    "campaigns:device": runs(),
    "campaigns:revoke-device": run(),
    "campaigns:take-over": public(),
    "campaigns:leave": has_sat(),
    "campaigns:bring": at_table(player=404, runner=404, spectator=422, character=NONE),
    "campaigns:seat": runs(),  # it is prepared, for a player to take
    "campaigns:take": at_table(player=303, runner=422, spectator=422),
    "campaigns:stand-up": run(),
    "campaigns:log": seated(),
    "campaigns:log-latest": seated(),
    "campaigns:log-json": seated(),
    "campaigns:log-csv": seated(),
    "campaigns:session": seated(),
    "campaigns:set-mark": run(name="Reef"),
    "campaigns:remove-mark": run(),
    "campaigns:undo": run(404, where={"character": NONE}),
    "campaigns:undo-act-in-log": run(404, {"number": NONE}),
    "campaigns:print": seated(),
    "campaigns:download-party": runs(),
    "campaigns:files": runs(),
    "campaigns:hand-over": leads(),
    "campaigns:take-up": sits_up(422),  # someone leads it
    "campaigns:relationships": seated(),
    "campaigns:withdraw": run(),
    "campaigns:agree": run(404, based_on="bond", text="Brothers."),  # nobody here plays one of the two
    "campaigns:decline": run(404),
    "campaigns:next-session": runs(),
    "campaigns:call-off": run(),
    "campaigns:news-seen": has_sat(),
    "campaigns:date-seen": sits_up(404, moved="0"),  # no session is set
    "campaigns:notifications": public(),
    "campaigns:calendar": line(*[404] * 5),  # no session is set
    "campaigns:notes": seated(),
    "campaigns:notes-seen": sits_up(newest="0"),
    "campaigns:write-note": run(text="The tide turns at dusk.", reader="storytellers"),
    "campaigns:edit-note": runs(),
    "campaigns:reveal-note": run(was="x"),
    "campaigns:bin-note": run(),
    "campaigns:act": runs(deed="mark"),
    "campaigns:acts": runs(),
    "campaigns:undo-act": run(404, {"number": NONE}),
    "campaigns:rules": runs(),
    "campaigns:terms": runs(),
    "campaigns:roll-dice": at_table(player=422, runner=422, spectator=422),  # no dice are rolled here
    "campaigns:roll-dice-again": run(404, where={"dice": NONE}),
    "campaigns:give-dice": run(422),
    "campaigns:purchases": seated(),
    "campaigns:own-table": kept(404),  # nobody here plays it at a table
    "campaigns:purchases-of": kept(404),  # it sits at no table
    "campaigns:agree-purchase": at_table(404, 404, 404),
    "campaigns:decline-purchase": at_table(404, 404, 404),
    "campaigns:withdraw-purchase": run(),
    "campaigns:undo-purchase": at_table(404, 404, 404),  # nobody has bought it
    "campaigns:begin-character": at_table(player=303, runner=303, spectator=422),
    "campaigns:rule-exception": run(422),
    "campaigns:join": public(),
    # An encounter. The storyteller has begun it, and the co-storyteller may do the same.
    "campaigns:encounter": seated(),
    "campaigns:begin-encounter": run(),
    "campaigns:end-encounter": run(),
    "campaigns:resume-encounter": run(),
    "campaigns:roll-initiative": run(),
    "campaigns:next-turn": at_table(player=303, runner=303, spectator=303, saw=9),  # nothing moves
    "campaigns:previous-turn": run(422, saw=0),
    "campaigns:new-creature": runs(),
    "campaigns:creature": runs(),
    "campaigns:archived-creatures": runs(),
    "campaigns:archive-creature": run(over="yes"),
    "campaigns:bring-creature": run(many=1),
    "campaigns:bring-seat": run(),
    "campaigns:remove-combatant": run(where={"combatant": NONE}),
    "campaigns:hide-combatant": run(hidden="yes"),
    "campaigns:initiative": run(total="12"),
    "campaigns:move-combatant": run(way="up", saw=1),
    "campaigns:hit": run(amount="1"),
    "campaigns:hit-character": run(422, amount="1"),  # it sits at another table
    "campaigns:undo-hit": run(),
    "campaigns:creature-roll": run(which=0),
    "campaigns:add-condition": run(404, combatant=NONE, condition="Asleep", rounds=2),
    "campaigns:remove-condition": run(where={"condition": NONE}),
    "campaigns:make-screen": run(200, vitals="bars"),
    "campaigns:change-screen": run(vitals="words"),
    "campaigns:end-screen": run(),
    "campaigns:screen": public(),
    "campaigns:homebrew": seated(),
    "campaigns:homebrew-new": runs(kind="talent"),
    "campaigns:homebrew-publish": runs(),
    "campaigns:homebrew-copy": runs(),
    "campaigns:homebrew-take": runs(),
    "campaigns:homebrew-download": runs(),
    "campaigns:homebrew-edit": runs(),
    "campaigns:homebrew-delete": run(),
    "characters:my-homebrew": public(302),
    "characters:homebrew": with_account(),
    "characters:homebrew-new": with_account(kind="talent"),
    "characters:homebrew-publish": with_account(),
    "characters:homebrew-copy": with_account(),
    "characters:homebrew-take": with_account(),
    "characters:homebrew-download": line(302, *[404] * 4),  # nobody has made any
    "characters:homebrew-edit": line(302, *[404] * 4),  # it is the table's
    "characters:homebrew-delete": line(401, *[404] * 4, method="post"),
    "characters:homebrew-entry": kept(kind="talent", slug="moth"),
    "rules:index": public(),
    "rules:search": public(),
    "rules:kind": public(),
    "rules:compare": public(),
    "rules:element": public(),
    "stream": line(401, 200, 200, 200, 200),  # their own streams: tests/streams
    "screen-stream": public(),
    "favicon": public(302),
    "account_login": signed_out(),
    "account_signup": signed_out(),
    "account_logout": signed_in(),
    "account_inactive": public(),
    "account_reauthenticate": signed_in(),
    "account_change_password": signed_in(),
    "account_set_password": signed_in(302),
    "admin-password": public(302),
    "account_email": signed_in(),
    "account_notifications": signed_in(),
    "account_delete": signed_in(302),  # redirects to the password: tests/test_account_deletion.py
    "unsubscribe": public(404),  # this link is not from an email of ours
    "account_email_verification_sent": public(),
    "account_confirm_email": public(),
    "account_reset_password": public(),
    "account_reset_password_done": public(),
    "account_reset_password_from_key": public(),
    "account_reset_password_from_key_done": public(),
    "account_confirm_login_code": public(302),
}
