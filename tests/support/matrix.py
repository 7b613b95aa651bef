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


def public_page(status=200):
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


def read_page(status=200, **where):
    """A page for reading a character. Only people who may see the character find it; staff may not."""
    return line(404, status, 404, 404, 404, readers=status, storyteller=status, where=where)


def play_page(status=200, **where):
    """A page for playing a character. Only people who may play it find it; staff may not."""
    return line(404, status, 404, 404, 404, storyteller=status, where=where)


def sample_page(**where):
    return line(*[200] * 5, where={"slug": SAMPLES[0], **where})


KEY = "a-key-that-is-long-enough"
NONE = 999_999  # no such row


def play_change(status=303, /, where=None, **data):
    """A change that the owner and players of a character may make. A visitor without an account is told to sign in,
    whether or not it exists."""
    how = {"method": "post", "data": data, "where": where or {}}
    return line(401, status, 404, 404, 404, storyteller=status, **how)


def owner_change(status=303, **data):
    """A change that only the owner of a character may make."""
    return line(401, status, 404, 404, 404, method="post", data=data)


def beginning(**where):
    """A form that begins a character; anyone may."""
    return line(*[303] * 5, method="post", data={}, where=where)


def table_page(status=200, **where):
    """A page of a table. The character's owner is the table's storyteller; the character's storyteller is its
    co-storyteller."""
    sits = {"party": status, "spectator": status, "reader": 404}
    statuses = [404, status, 404, 404, 404, *(sits[role] for role in READING), status, 404]
    return Line(tuple(statuses), where=where)


def leader_page(status=200, **where):
    """A page for only the storyteller."""
    return line(404, status, 404, 404, 404, where=where)


def leader_change(status=303, **data):
    """A change that only the storyteller may make."""
    return line(401, status, 404, 404, 404, method="post", data=data)


def runner_page(status=200, **where):
    """A page for people who run the table."""
    return line(404, status, 404, 404, 404, storyteller=status, where=where)


def runner_change(status=303, /, where=None, **data):
    """A change that people who run the table may make."""
    how = {"method": "post", "data": data, "where": where or {}}
    return line(401, status, 404, 404, 404, storyteller=status, **how)


def table_change(status=303, **data):
    """A change that everyone at the table may make."""
    statuses = [status if found == 200 else found for found in table_page().statuses]
    return Line((401, *statuses[1:]), method="post", data=data)


def table_change_after_leaving(status=303, **data):
    """A change that everyone at the table may make, and people who were removed from it."""
    return Line((*table_change(status).statuses[:-1], status), method="post", data=data)


def checked_change(player, runner, spectator, **data):
    """A change whose address everyone at the table finds; the verb then checks their role."""
    found = {"party": player, "spectator": spectator, "reader": 404}
    statuses = [401, runner, 404, 404, 404, *(found[role] for role in READING), runner, 404]
    return Line(tuple(statuses), method="post", data=data)


RANKS = {f"rank.{name}": 10 for name in ("strength", "agility", "vitality", "mind", "spirit", "presence")}

# The actions at the table. The character is whole, so actions that need wounds, dying or a rest are refused.
PLAYED = {
    "play-take-damage": play_change(amount="1"),
    "play-heal": play_change(422, amount="1"),
    "play-change-health": play_change(amount="-1"),
    "play-adjust": play_change(resource="health", by="-1"),
    "play-use": play_change(422, action="no-such-action"),
    "play-death-save": play_change(422),
    "play-cheat-death": play_change(422),
    "play-stabilize": play_change(422),
    "play-add-condition": play_change(condition="condition:prone"),
    "play-remove-condition": play_change(422, condition="condition:prone"),
    "play-toggle": play_change(switch="+half-cover"),
    "play-next-round": play_change(),
    "play-move": play_change(far=15),
    "play-notice": play_change(stealth=40),
    "play-fall": play_change(feet=10, faces="3"),
    "play-begin-rest": play_change(rest="short-rest"),
    "play-spend-rest-die": play_change(422),
    "play-treat-wounds": play_change(422),
    "play-finish-rest": play_change(422),
    "play-long-rest": play_change(),
    "play-end-adventure": play_change(),
    "play-spend-downtime": play_change(days=1, activity="Training"),
    "play-roll": play_change(roll="initiative"),
    "play-extra-die": play_change(422, roll=NONE),
    "play-nudge": play_change(422, roll=NONE),
    "play-turn-critical": play_change(422, roll=NONE),
    "play-change-roll": play_change(422, roll=NONE, action="dueling"),
    "play-detail": play_change(422, roll=NONE),
    "play-nudge-elsewhere": play_change(up="yes"),
    "play-turn-aside": play_change(422),
    "play-extra-turn": play_change(),
    "play-declare": play_change(422, aspect=f"aspect:{NONE}"),
    "play-compel": play_change(words="Greedy", accept="yes"),
    "play-regain": play_change(422),
    "play-equip": play_change(422, item=NONE, state="carried"),
    "play-set-quantity": play_change(422, item=NONE, quantity=2),
    "play-remove-item": play_change(422, item=NONE),
    "play-reload": play_change(422, item=NONE),
    "play-add-item": play_change(custom="A letter"),
    "play-gather-ammunition": play_change(422, search="yes"),
    "play-purchase-together": play_change(422, ref="gear:torch", ranks=""),
    "play-add-aspect": play_change(kind="flaw", text="Proud"),
    "play-add-relationship": play_change(other="Bo", based_on="bond", text="Friends"),
    "play-add-spell": play_change(name="Light"),
    "play-learn-spell": play_change(422, ref="spell:none"),
    "play-edit-spell": play_change(422, spell=NONE),
    "play-remove-spell": play_change(422, spell=NONE),
    "play-agree": play_change(422, relationship=NONE),
    "play-link": play_change(422, relationship=NONE),
    "play-add-note": play_change(text="Hello"),
    "play-remove": play_change(422, address=f"note:{NONE}"),
    "play-edit": play_change(422, address=f"note:{NONE}", text="Hello", was="x"),
    "play-undo": play_change(422, change=1),
    "play-mark": play_change(name="last night"),
}

# A character of this game has no page for an action of another game.
OF_ANOTHER_GAME = {
    f"play-{name.replace('_', '-')}": play_change(404) for name in action_names() - actions_of("polyhedral").keys()
}

MATRIX = {
    "home": public_page(),
    "style": public_page(),
    "characters:list": public_page(),
    "characters:start": beginning(),
    "characters:surprise": beginning(),
    "characters:copy-sample": beginning(slug=SAMPLES[0]),
    "characters:copy": line(401, 303, 404, 404, 404, readers=303, storyteller=303, method="post"),
    "characters:rename": play_change(name="Nell"),
    "characters:bin": owner_change(),
    "characters:restore": owner_change(404),  # it is not in the bin
    "characters:build": play_page(step="origin"),
    "characters:choose": play_change(choice="core-rules.disposition", level=1, take="disposition:good"),
    "characters:name": play_change(name="Nell"),
    "characters:aspect": play_change(kind="trait", text="Hums"),
    "characters:roll-aspects": play_change(422),  # it has one of each
    "characters:ranks": play_change(method="points", **RANKS),
    "characters:dice": play_change(),
    "characters:buy": play_change(custom="A letter"),
    "characters:outfit": play_change(422),  # nothing was seen
    "characters:item": play_change(422, item=NONE, state="carried"),
    "characters:levels": play_page(),
    "characters:experience": play_change(amount="100"),
    "characters:milestone": play_change(422, level="3"),
    "characters:take-back-level": play_change(422, level="2"),  # none is taken
    "characters:change-level": play_page(404, level=2),  # it is not taken
    "characters:gained": play_page(sequence=2),
    "characters:drop-answer": play_change(422, {"level": 2}, choice="x"),
    "characters:level-up": play_page(),
    "characters:plan": play_page(),
    "characters:forget-plan": play_change(422, level="2"),  # nothing is planned
    "characters:plan-level": play_page(level=2),
    "characters:take-planned": play_change(409, {"level": 2}, saw="old:1"),
    "characters:face": play_page(),
    "characters:picture": read_page(404, digest="0" * 64),  # it has another
    "characters:upload": public_page(),
    "characters:download-all": line(404, 200, 404, 404, 404),
    "characters:share": line(404, 200, 404, 404, 404),
    "characters:make-link": owner_change(200),
    "characters:end-link": owner_change(),
    # By a link: open to everyone who has it.
    "characters:shared": public_page(),
    "characters:shared-picture": line(*[404] * 5, where={"digest": "0" * 64}),
    "characters:shared-explain": line(*[200] * 5, where={"key": "defense"}),
    "characters:shared-odds": line(*[200] * 5, where={"key": "initiative"}),
    "characters:copy-shared": beginning(),
    "characters:sheet": read_page(),
    "characters:explain": read_page(key="defense"),
    "characters:odds": read_page(key="initiative"),
    "characters:download": read_page(),
    "characters:at": read_page(level=1),
    "characters:at-explain": read_page(level=1, key="defense"),
    "characters:at-odds": read_page(level=1, key="initiative"),
    "characters:timeline": read_page(),
    "characters:compare": read_page(),
    "characters:can-take": play_page(),
    "characters:can-take-which": public_page(),
    "characters:house-rules": play_page(),
    "characters:change-house-rules": play_change(422),  # not one value is sent
    "characters:sources": play_page(),
    "characters:change-sources": play_change(422),  # its form is empty, and there is homebrew to choose
    "characters:watch": line(401, 200, 404, 404, 404, storyteller=200),
    "characters:proposed": play_page(),
    "characters:answer-proposal": play_change(404, {"proposal": NONE}),
    "characters:glance": play_page(),
    "characters:introduction": play_page(),
    "characters:looked": owner_change(number="1"),
    "characters:rest": play_page(),
    "characters:downtime": play_page(),
    "characters:pool": play_page(),
    "characters:history": play_page(),
    "characters:since": play_page(sequence=1),
    "characters:rolls": play_page(),
    "characters:prepare-roll": play_page(key="initiative"),
    **{f"characters:{name}": line for name, line in (PLAYED | OF_ANOTHER_GAME).items()},
    "characters:sample": sample_page(),
    "characters:sample-explain": sample_page(key="defense"),
    "characters:sample-odds": sample_page(key="initiative"),
    "characters:sample-download": sample_page(),
    "characters:sample-picture": line(*[404] * 5, where={"slug": SAMPLES[0], "digest": "0" * 64}),
    "characters:sample-at": sample_page(level=1),
    "characters:sample-at-explain": sample_page(level=1, key="defense"),
    "characters:sample-at-odds": sample_page(level=1, key="initiative"),
    "characters:sample-timeline": sample_page(),
    "characters:sample-compare": sample_page(),
    "campaigns:list": public_page(),
    "campaigns:begin": signed_in(),
    "campaigns:campaign": table_page(),
    "campaigns:settings": leader_page(),
    "campaigns:face": leader_page(),
    "campaigns:picture": table_page(404, digest="0" * 64),  # it has none
    "campaigns:join-picture": line(*[404] * 5, where={"digest": "0" * 64}),
    "campaigns:archive": leader_change(),
    "campaigns:bin": leader_change(),
    "campaigns:restore": leader_change(),
    "campaigns:people": runner_page(),
    "campaigns:invite": runner_change(200, role="player", most=1, days=1),
    "campaigns:revoke": runner_change(),
    "campaigns:remove": runner_change(404, where={"member": NONE}),
    "campaigns:make-player": line(401, *[404] * 4, method="post", where={"member": NONE}),
    "campaigns:device": runner_page(),
    "campaigns:revoke-device": runner_change(),
    "campaigns:take-over": public_page(),
    "campaigns:leave": table_change_after_leaving(),
    "campaigns:bring": checked_change(player=404, runner=404, spectator=422, character=NONE),
    "campaigns:seat": runner_page(),  # it is prepared, for a player to take
    "campaigns:take": checked_change(player=303, runner=422, spectator=422),
    "campaigns:stand-up": runner_change(),
    "campaigns:log": table_page(),
    "campaigns:log-latest": table_page(),
    "campaigns:log-json": table_page(),
    "campaigns:log-csv": table_page(),
    "campaigns:session": table_page(),
    "campaigns:set-mark": runner_change(name="Reef"),
    "campaigns:remove-mark": runner_change(),
    "campaigns:undo": runner_change(404, where={"character": NONE}),
    "campaigns:undo-act-in-log": runner_change(404, {"number": NONE}),
    "campaigns:print": table_page(),
    "campaigns:download-party": runner_page(),
    "campaigns:files": runner_page(),
    "campaigns:hand-over": leader_page(),
    "campaigns:take-up": table_change(422),  # someone leads it
    "campaigns:relationships": table_page(),
    "campaigns:withdraw": runner_change(),
    "campaigns:agree": runner_change(404, based_on="bond", text="Brothers."),  # nobody here plays one of the two
    "campaigns:decline": runner_change(404),
    "campaigns:next-session": runner_page(),
    "campaigns:call-off": runner_change(),
    "campaigns:news-seen": table_change_after_leaving(),
    "campaigns:date-seen": table_change(404, moved="0"),  # no session is set
    "campaigns:notifications": public_page(),
    "campaigns:calendar": line(*[404] * 5),  # no session is set
    "campaigns:notes": table_page(),
    "campaigns:notes-seen": table_change(newest="0"),
    "campaigns:write-note": runner_change(text="The tide turns at dusk.", reader="storytellers"),
    "campaigns:edit-note": runner_page(),
    "campaigns:reveal-note": runner_change(was="x"),
    "campaigns:bin-note": runner_change(),
    "campaigns:act": runner_page(deed="mark"),
    "campaigns:acts": runner_page(),
    "campaigns:undo-act": runner_change(404, {"number": NONE}),
    "campaigns:rules": runner_page(),
    "campaigns:terms": runner_page(),
    "campaigns:roll-dice": checked_change(player=422, runner=422, spectator=422),  # no dice are rolled here
    "campaigns:roll-dice-again": runner_change(404, where={"dice": NONE}),
    "campaigns:give-dice": runner_change(422),
    "campaigns:purchases": table_page(),
    "campaigns:own-table": play_page(404),  # nobody here plays it at a table
    "campaigns:purchases-of": play_page(404),  # it sits at no table
    "campaigns:agree-purchase": checked_change(404, 404, 404),
    "campaigns:decline-purchase": checked_change(404, 404, 404),
    "campaigns:withdraw-purchase": runner_change(),
    "campaigns:undo-purchase": checked_change(404, 404, 404),  # nobody has bought it
    "campaigns:begin-character": checked_change(player=303, runner=303, spectator=422),
    "campaigns:rule-exception": runner_change(422),
    "campaigns:join": public_page(),
    # An encounter. The storyteller has begun it, and the co-storyteller may do the same.
    "campaigns:encounter": table_page(),
    "campaigns:begin-encounter": runner_change(),
    "campaigns:end-encounter": runner_change(),
    "campaigns:resume-encounter": runner_change(),
    "campaigns:roll-initiative": runner_change(),
    "campaigns:next-turn": checked_change(player=303, runner=303, spectator=303, saw=9),  # nothing moves
    "campaigns:previous-turn": runner_change(422, saw=0),
    "campaigns:new-creature": runner_page(),
    "campaigns:creature": runner_page(),
    "campaigns:archived-creatures": runner_page(),
    "campaigns:archive-creature": runner_change(over="yes"),
    "campaigns:bring-creature": runner_change(many=1),
    "campaigns:bring-seat": runner_change(),
    "campaigns:remove-combatant": runner_change(where={"combatant": NONE}),
    "campaigns:hide-combatant": runner_change(hidden="yes"),
    "campaigns:initiative": runner_change(total="12"),
    "campaigns:move-combatant": runner_change(way="up", saw=1),
    "campaigns:hit": runner_change(amount="1"),
    "campaigns:hit-character": runner_change(422, amount="1"),  # it sits at another table
    "campaigns:undo-hit": runner_change(),
    "campaigns:creature-roll": runner_change(which=0),
    "campaigns:add-condition": runner_change(404, combatant=NONE, condition="Asleep", rounds=2),
    "campaigns:remove-condition": runner_change(where={"condition": NONE}),
    "campaigns:make-screen": runner_change(200, vitals="bars"),
    "campaigns:change-screen": runner_change(vitals="words"),
    "campaigns:end-screen": runner_change(),
    "campaigns:screen": public_page(),
    "campaigns:homebrew": table_page(),
    "campaigns:homebrew-new": runner_page(kind="talent"),
    "campaigns:homebrew-publish": runner_page(),
    "campaigns:homebrew-copy": runner_page(),
    "campaigns:homebrew-take": runner_page(),
    "campaigns:homebrew-download": runner_page(),
    "campaigns:homebrew-edit": runner_page(),
    "campaigns:homebrew-delete": runner_change(),
    "characters:my-homebrew": public_page(302),
    "characters:homebrew": with_account(),
    "characters:homebrew-new": with_account(kind="talent"),
    "characters:homebrew-publish": with_account(),
    "characters:homebrew-copy": with_account(),
    "characters:homebrew-take": with_account(),
    "characters:homebrew-download": line(302, *[404] * 4),  # nobody has made any
    "characters:homebrew-edit": line(302, *[404] * 4),  # it is the table's
    "characters:homebrew-delete": line(401, *[404] * 4, method="post"),
    "characters:homebrew-entry": play_page(kind="talent", slug="moth"),
    "rules:index": public_page(),
    "rules:search": public_page(),
    "rules:kind": public_page(),
    "rules:compare": public_page(),
    "rules:element": public_page(),
    "stream": line(401, 200, 200, 200, 200),  # their own streams: tests/streams
    "screen-stream": public_page(),
    "favicon": public_page(302),
    "account_login": signed_out(),
    "account_signup": signed_out(),
    "account_logout": signed_in(),
    "account_inactive": public_page(),
    "account_reauthenticate": signed_in(),
    "account_change_password": signed_in(),
    "account_set_password": signed_in(302),
    "admin-password": public_page(302),
    "account_email": signed_in(),
    "account_notifications": signed_in(),
    "account_delete": signed_in(302),  # redirects to the password: tests/test_account_deletion.py
    "unsubscribe": public_page(404),  # this link is not from an email of ours
    "account_email_verification_sent": public_page(),
    "account_confirm_email": public_page(),
    "account_reset_password": public_page(),
    "account_reset_password_done": public_page(),
    "account_reset_password_from_key": public_page(),
    "account_reset_password_from_key_done": public_page(),
    "account_confirm_login_code": public_page(302),
}
