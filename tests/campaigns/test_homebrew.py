"""The homebrew of a table: written, published, put in play, copied, retired, shared as a pack; and its limits."""

from io import BytesIO
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_LZMA, ZipFile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaigns.models import TableHomebrew
from campaigns.verbs import party_acts, seats, table_rules
from campaigns.verbs.leadership import hand_over
from campaigns.verbs.table_rules import homebrew_of
from characters import verbs
from characters.change.refusals import Refused
from characters.pages.homebrew import publish_page
from characters.verbs.leveling import seen
from rules import entries, zips
from rules.engine.content import called
from rules.models import Circumstance, DamageType, Element, Note, Ruleset, Source, Talent
from rules.patterns.lines import lines_of
from rules.publications import in_force, publish
from tests.campaigns.homebrew_pages import at, pack_of, press_publish, put_in_play, take
from tests.campaigns.seated import saltmarsh, sits
from tests.characters.cast import browser_of, first_level, new_key, person
from tests.support.characters import fresh, put_xp, sheet_of
from tests.support.homebrew import homebrew, talent
from tests.support.html import html_of

pytestmark = [pytest.mark.django_db, pytest.mark.full]


def make(campaign, kind="talent", **fields):
    return browser_of().post(at(campaign, f"new/{kind}/"), {"name": "Shadow Step", **fields})


def entry(campaign, name="Shadow Step"):
    return Element.objects.get(source=homebrew_of(campaign), name=name)


def test_an_entry_needs_a_name_and_no_more(campaign):
    assert make(campaign).status_code == 303
    source = homebrew_of(campaign)
    made = entry(campaign)
    assert made.slug == f"shadow-step-{source.homebrew.tag}"
    assert (source.revision, source.edited is not None) == (0, True)
    assert "Not published yet" in html_of(browser_of().get(at(campaign)))


def test_opening_the_pages_stores_nothing(campaign):
    for below in ("", "new/talent/", "publish/", "copy/", "take/"):
        assert browser_of().get(at(campaign, below)).status_code == 200
    assert not TableHomebrew.objects.exists()


@pytest.mark.parametrize("kind", entries.KINDS)
def test_the_form_of_every_kind_opens(campaign, kind):
    assert browser_of().get(at(campaign, f"new/{kind}/")).status_code == 200


@pytest.mark.parametrize("kind", ["ability", "rules", "skill", "nonsense"])
def test_kinds_that_the_game_fixes_cannot_be_made(campaign, kind):
    assert browser_of().get(at(campaign, f"new/{kind}/")).status_code == 404
    assert make(campaign, kind).status_code == 404


def test_a_weapon_is_made_with_its_own_columns(campaign):
    core = Element.objects.filter(source__is_core=True)
    group, damage = core.get(slug="simple-weapons", kind="category"), core.get(slug="piercing", kind="damage-type")
    fields = {"dice": 2, "die": 6, "hands": 1, "cost_class": 1}
    assert make(campaign, "weapon", category=group.pk, damage_type=damage.pk, **fields).status_code == 303
    assert entry(campaign).weapon.dice == 2
    wrong = make(campaign, "weapon", name="Other", category=damage.pk, damage_type=damage.pk, **fields)
    assert wrong.status_code == 422


def test_a_limit_break_is_a_feature_that_a_choice_offers(campaign):
    group = Element.objects.get(kind="category", slug="limit-breaks")
    assert make(campaign, "feature", group=group.pk).status_code == 303
    assert entry(campaign).groups.get() == group
    assert press_publish(campaign).status_code == 303


def test_a_group_that_is_not_offered_any_more_is_refused_at_its_field(campaign):
    answer = make(campaign, "feature", group=999_999)
    assert answer.status_code == 422
    assert "That is not offered here any more. Choose another one." in html_of(answer)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"name": ""}, "Give it a name."),
        ({"name": "x" * 121}, "That is too long: at most 120 characters."),
        ({"text": "x" * 8001}, "at most 8,000 characters."),
        ({"does": "+1 to Defenze"}, "Do you mean Defense?"),
        ({"does": "make it so"}, "not one of the sentences"),
    ],
)
def test_a_bad_entry_is_refused_at_its_field(campaign, fields, sentence):
    answer = make(campaign, **fields)
    assert answer.status_code == 422
    assert sentence in html_of(answer)
    assert not Element.objects.filter(source__homebrew__isnull=False).exists()


def test_a_name_is_unique_in_its_kind_so_a_form_sent_twice_makes_one_entry(campaign):
    make(campaign)
    assert make(campaign).status_code == 422
    assert make(campaign, "language").status_code == 303


def test_entries_have_a_limit(campaign, monkeypatch):
    monkeypatch.setattr("characters.pages.homebrew.entry_form.MOST_ENTRIES", 1)
    make(campaign)
    answer = make(campaign, name="One more")
    assert answer.status_code == 422
    assert "that is the limit" in html_of(answer)


def test_a_seated_player_takes_a_published_talent_and_defense_rises(campaign, party):
    make(campaign, does="+1 to Defense\nBonus action: Slip away, 1 use, back after a short rest")
    assert press_publish(campaign).status_code == 303
    assert len(put_in_play(campaign)) == 2
    mira, before = party["bo"], defense(party["bo"])
    page = browser_of("bo").get(f"/characters/{mira.pk}/can-take/?q=shadow")
    assert f"/homebrew/polyhedral/talent/{entry(campaign).slug}/" in html_of(page)
    taken(mira, entry(campaign))
    assert defense(mira) == before + 1
    assert browser_of("bo").get(f"/homebrew/polyhedral/talent/{entry(campaign).slug}/").status_code == 200


def taken(character, talent):
    """Bo's character takes this talent at level 2."""
    put_xp(character.pk, person("bo"), 1000)
    level_up(character, 2, "core-rules.level-talent", [f"talent:{talent.slug}"])


def level_up(character, level, take, targets):
    now = fresh(character.pk)
    saw = seen(sheet_of(now)[0], now.version)
    verbs.level_up(character.pk, person("bo"), new_key(), level=level, take=take, targets=targets, saw=saw)


def defense(character):
    return sheet_of(fresh(character.pk))[2].values["defense"].value


def test_a_talent_is_closed_with_the_reason_until_what_it_needs_is_there(campaign, party):
    mira = party["bo"]
    strength = sheet_of(mira)[2].values["rank.strength"].value + 1
    make(campaign, does=f"needs Strength {strength}\n+1 to Defense")
    lines = [f"needs Strength at least {strength}", "+1 to Defense"]
    assert told(entry(campaign)) == lines
    assert press_publish(campaign).status_code == 303
    put_in_play(campaign)
    put_xp(mira.pk, person("bo"), 2000)
    needs = f"Needs Strength at least {strength}."
    assert needs in html_of(browser_of("bo").get(f"/characters/{mira.pk}/level-up/"))
    with pytest.raises(Refused, match=needs):
        level_up(mira, 2, "core-rules.level-talent", [entry(campaign).ref])
    level_up(mira, 2, "core-rules.level-abilities", ["rank.strength", "rank.mind"])
    assert needs not in html_of(browser_of("bo").get(f"/characters/{mira.pk}/level-up/"))
    before = defense(mira)
    level_up(mira, 3, "core-rules.level-talent", [entry(campaign).ref])
    assert defense(mira) == before + 1


def test_what_an_entry_needs_is_shown_and_edited_as_its_other_lines(campaign):
    make(campaign, does="needs Tough or Strength 13")
    form = browser_of().get(at(campaign, f"{entry(campaign).pk}/")).context["form"]
    assert (form.initial["does"], form.others) == ("needs Tough or Strength at least 13", [])
    first = entry(campaign).prerequisites.get(test="has")
    assert edit(campaign, does="needs Medic or Strength at least 13\nneeds level 5").status_code == 303
    assert told(entry(campaign)) == ["needs Medic or Strength at least 13", "needs level 5"]
    assert entry(campaign).prerequisites.get(test="has") == first
    refused = edit(campaign, does="needs Shadow Step")
    assert "An element cannot need itself." in html_of(refused)
    assert edit(campaign, does="").status_code == 303
    assert not entry(campaign).prerequisites.exists()


def test_the_publish_page_names_the_characters_that_would_change(campaign, party):
    make(campaign)
    press_publish(campaign)
    put_in_play(campaign)
    mira = party["bo"]
    taken(mira, entry(campaign))
    saved = edit(campaign, does="+2 to Defense")
    assert saved.status_code == 303
    page = browser_of().get(at(campaign, "publish/"))
    assert [str(one.character) for one in page.context["moved"]] == ["Bo"]
    assert page.context["tried"] == 2


def edit(campaign, name="ana", **fields):
    client, found = browser_of(name), entry(campaign)
    where = at(campaign, f"{found.pk}/")
    shown = client.get(where).context["form"]
    return client.post(where, {"name": found.name, "was": shown.initial["was"], **fields})


def test_an_entrys_effects_are_shown_and_edited_line_by_line(campaign):
    make(campaign, does="+1 to Defense\n1 use, back after a short rest")
    does = browser_of().get(at(campaign, f"{entry(campaign).pk}/")).context["form"].initial["does"]
    assert does.splitlines() == ["+1 to Defense", "1 use, back after a short rest"]
    assert edit(campaign, does="+2 to Defense").status_code == 303
    assert told(entry(campaign)) == ["+2 to Defense"]
    assert not homebrew_of(campaign).stats.exists()


def told(element):
    return [line.text for line in lines_of(element)]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("each 5 levels: +2 to Health", "+2 to Health"),
        ("Reaction: Turn aside, 2 uses, back after a long rest", "Bonus action: Turn aside"),
        ("each 3 levels: +1 to Defense\n1 use, back after a short rest", "+1 to Speed\n+1 to Health"),
    ],
)
def test_a_line_that_made_a_statistic_is_replaced_and_leaves_nothing(campaign, before, after):
    make(campaign, does=before)
    assert edit(campaign, does=after).status_code == 303
    assert told(entry(campaign)) == after.splitlines()
    assert not homebrew_of(campaign).stats.exists()
    assert not entry(campaign).resources.exists()


def test_an_effect_that_no_line_can_say_is_shown_and_can_be_removed(campaign):
    make(campaign)
    Note.objects.create(owner=entry(campaign), text="You smell of salt.", stack_group="smell")
    form = browser_of().get(at(campaign, f"{entry(campaign).pk}/")).context["form"]
    assert [one.sentence for one in form.others] == ["You smell of salt."]
    removed = edit(campaign, gone=["effect-999999"])
    assert removed.status_code == 422
    assert "Someone has removed that already. Look again at what you tick." in html_of(removed)
    assert edit(campaign, gone=[form.others[0].key]).status_code == 303
    assert not entry(campaign).effects.exists()


def test_every_line_that_is_not_understood_is_told_at_once(campaign):
    does = "size Small\n+1 to Defense\nresists Frost"
    answer = make(campaign, does=does)
    assert answer.status_code == 422
    first, second = answer.context["form"].errors["does"]
    assert first.startswith("“size Small” is not one of the sentences")
    assert second.startswith("“resists Frost”: No entry is called “Frost”.")
    assert all(one in html_of(answer) for one in (first, second))
    assert not Talent.objects.filter(name="Shadow Step").exists()


def test_a_line_that_another_entry_needs_is_not_removed(campaign):
    make(campaign, does="1 use, back after a short rest")
    make(campaign, name="Other", does=f"+1 to {homebrew_of(campaign).stats.get().key}")
    answer = edit(campaign, does="")
    assert answer.status_code == 422
    assert "while something needs it" in html_of(answer)


def test_the_second_of_two_editors_sees_what_the_first_wrote(campaign):
    make(campaign, text="Once.")
    found = entry(campaign)
    was = browser_of().get(at(campaign, f"{found.pk}/")).context["form"].initial["was"]
    assert edit(campaign, text="Theirs.").status_code == 303
    answer = browser_of().post(at(campaign, f"{found.pk}/"), {"name": found.name, "text": "Mine.", "was": was})
    assert answer.status_code == 409
    assert "Theirs." in html_of(answer)
    assert entry(campaign).text == "Theirs."


def test_an_edit_sent_twice_is_saved_once_and_not_taken_for_somebody_elses(campaign):
    make(campaign, does="+1 to Defense")
    found, client = entry(campaign), browser_of()
    was = client.get(at(campaign, f"{found.pk}/")).context["form"].initial["was"]
    sent = {"name": found.name, "text": "One.\r\nTwo.", "does": "+1 to Defense\r\n+2 to Speed", "was": was}
    answers = [client.post(at(campaign, f"{found.pk}/"), sent).status_code for _ in range(2)]
    assert answers == [303, 303]
    assert entry(campaign).effects.count() == 2
    assert client.post(at(campaign, f"{found.pk}/"), sent | {"does": "+1 to Defense"}).status_code == 409


def test_a_draft_is_deleted_and_a_published_entry_is_retired(campaign):
    make(campaign, does="1 use, back after a short rest")
    browser_of().post(at(campaign, f"{entry(campaign).pk}/delete/"))
    assert not homebrew_of(campaign).elements.exists()
    assert not homebrew_of(campaign).stats.exists()
    make(campaign)
    press_publish(campaign)
    where = at(campaign, f"{entry(campaign).pk}/delete/")
    browser_of().post(where)
    assert entry(campaign).status == "retired"
    browser_of().post(where, {"back": "yes"})
    assert entry(campaign).status == "published"


def test_a_retired_entry_that_nobody_has_is_deleted_for_good(campaign):
    make(campaign, does="1 use, back after a short rest")
    press_publish(campaign)
    found, client = entry(campaign), browser_of()
    where = at(campaign, f"{found.pk}/delete/")
    assert "for_good" not in html_of(client.get(at(campaign, f"{found.pk}/")))
    client.post(where)
    assert "for_good" in html_of(client.get(at(campaign, f"{found.pk}/")))
    client.post(where, {"for_good": "yes"})
    assert not homebrew_of(campaign).elements.exists()
    assert found.ref in in_force(homebrew_of(campaign)).elements
    assert press_publish(campaign).status_code == 303
    assert in_force(homebrew_of(campaign)).elements == {}
    assert not homebrew_of(campaign).stats.exists()


def test_a_retired_entry_that_a_character_has_is_not_deleted(campaign, party):
    make(campaign)
    press_publish(campaign)
    found, client = entry(campaign), browser_of()
    party["bo"].awards.create(element=found)
    where = at(campaign, f"{found.pk}/delete/")
    client.post(where)
    told = html_of(client.post(where, {"for_good": "yes"}, follow=True))
    assert "Shadow Step stays. A character has it" in told
    assert entry(campaign).status == "retired"


def test_a_new_entry_cannot_gain_a_retired_one(campaign):
    make(campaign)
    press_publish(campaign)
    assert make(campaign, name="Heir", does="gains Shadow Step").status_code == 303
    browser_of().post(at(campaign, f"{entry(campaign).pk}/delete/"))
    assert make(campaign, name="Late heir", does="gains Shadow Step").status_code == 422


def test_an_entry_that_cannot_be_played_is_not_published(campaign):
    make(campaign, "feature")  # nothing grants it
    page = browser_of().get(at(campaign, "publish/"))
    assert "nothing grants it" in html_of(page)
    assert press_publish(campaign).status_code == 422
    assert homebrew_of(campaign).revision == 0


def test_an_entry_that_breaks_a_sheet_is_not_published(campaign, party, monkeypatch):
    make(campaign)
    press_publish(campaign)
    put_in_play(campaign)
    edit(campaign, does="+2 to Defense")
    before = homebrew_of(campaign).revision

    def broken(*_):
        raise KeyError("dusk")

    monkeypatch.setattr(publish_page, "moved_by_publishing", broken)
    answer = press_publish(campaign)
    assert answer.status_code == 422
    assert publish_page.BROKEN in html_of(answer)
    assert homebrew_of(campaign).revision == before


def test_an_entry_that_names_something_unpublished_in_the_core_is_not_published(campaign):
    core = Source.objects.get(slug="polyhedral-core")
    dusk = Circumstance.objects.create(
        ruleset=core.ruleset, source=core, slug="new-dusk", name="at dusk", detection="toggle"
    )
    make(campaign, does="+1 to Defense")
    entry(campaign).effects.update(when=dusk)
    answer = press_publish(campaign)
    assert answer.status_code == 422
    assert "Shadow Step: names circumstance new-dusk, which is not published yet." in answer.content.decode()


def test_publishing_is_refused_when_entries_changed_since_the_page_was_shown(campaign):
    make(campaign)
    saw = browser_of().get(at(campaign, "publish/")).context["saw"]
    make(campaign, name="Another")
    assert browser_of().post(at(campaign, "publish/"), {"saw": saw}).status_code == 422
    assert homebrew_of(campaign).revision == 0


def test_publishing_twice_does_not_blame_somebody_else(campaign):
    make(campaign)
    saw = browser_of().get(at(campaign, "publish/")).context["saw"]
    assert browser_of().post(at(campaign, "publish/"), {"saw": saw}).status_code == 303
    again = browser_of().post(at(campaign, "publish/"), {"saw": saw})
    assert again.status_code == 422
    assert again.context["refusals"] == ["There is nothing to publish."]


def test_an_official_entry_is_copied_and_changed(campaign):
    tough = Talent.objects.get(slug="tough", source__is_core=True)
    answer = browser_of().post(at(campaign, "copy/"), {"entry": tough.pk})
    made = entry(campaign, f"{tough.name} (copy)")
    assert answer.url == at(campaign, f"{made.pk}/")
    assert made.slug == f"tough-{homebrew_of(campaign).homebrew.tag}"
    assert told(made) == told(tough)
    assert press_publish(campaign).status_code == 303


@pytest.mark.parametrize("sent", ["", "x", "-1", "999999", "9" * 40, "1" * 5_000, "²"])
def test_only_official_entries_are_copied(campaign, sent):
    far = homebrew("Far", far="A far thing")
    assert browser_of().post(at(campaign, "copy/"), {"entry": sent}).status_code == 422
    assert browser_of().post(at(campaign, "copy/"), {"entry": far.elements.get().pk}).status_code == 422
    assert "A far thing" not in html_of(browser_of().get(at(campaign, "copy/")))


def test_an_unpublished_entry_is_not_copied(campaign):
    core = Source.objects.get(slug="polyhedral-core")
    secret = Talent.objects.create(ruleset=core.ruleset, source=core, slug="secret", name="Secret ending")
    assert "Secret ending" not in html_of(browser_of().get(at(campaign, "copy/")))
    assert browser_of().post(at(campaign, "copy/"), {"entry": secret.pk, "key": "abc"}).status_code == 422


def test_an_authors_pages_show_nothing_unpublished_of_the_core(campaign):
    core = Source.objects.get(slug="polyhedral-core")
    secret = DamageType.objects.create(ruleset=core.ruleset, source=core, slug="secret", name="Secret wound")
    Element.objects.filter(source=core, slug__in=["piercing", "tough"]).update(name="Secret name")
    Element.objects.filter(source=core, slug="medic", kind="talent").update(status="retired")
    group = Element.objects.get(slug="simple-weapons", kind="category")
    fields = {"dice": 2, "die": 6, "hands": 1, "cost_class": 1, "category": group.pk}
    for below in ("new/weapon/", "copy/"):
        assert "Secret" not in html_of(browser_of().get(at(campaign, below)))
    assert make(campaign, "weapon", damage_type=secret.pk, **fields).status_code == 422
    assert ">Piercing</option>" in browser_of().get(at(campaign, "new/weapon/")).content.decode()
    assert make(campaign, does="advantage on damage of Secret wound").status_code == 422
    assert "Secret name" not in html_of(make(campaign, does="gains Secret nam"))
    assert "Do you mean Tough?" in html_of(make(campaign, does="gains Toughh"))
    assert make(campaign, does="gains Tough\ngains Medic").status_code == 303


def test_the_form_of_a_first_entry_offers_only_elements_that_it_may_name(campaign):
    book = Source.objects.create(ruleset=Ruleset.objects.get(slug="polyhedral"), slug="book", title="Book")
    DamageType.objects.create(ruleset=book.ruleset, source=book, slug="book-acid", name="Acid of the book")
    publish(book)
    page = browser_of().get(at(campaign, "new/weapon/")).content.decode()
    assert "Piercing" in page
    assert "Acid of the book" not in page


def test_a_copy_past_the_limit_of_entries_is_refused(campaign, monkeypatch):
    make(campaign)
    monkeypatch.setattr("characters.pages.homebrew.listing.MOST_ENTRIES", 1)
    tough = Element.objects.get(kind="talent", slug="tough")
    answer = browser_of().post(at(campaign, "copy/"), {"entry": tough.pk})
    assert answer.status_code == 422
    assert entries.FULL in html_of(answer)
    assert homebrew_of(campaign).elements.count() == 1


def test_another_table_takes_a_pack_in_under_slugs_of_its_own(campaign):
    make(campaign, does="+1 to Defense\nBonus action: Slip away, 1 use, back after a short rest")
    other = saltmarsh()
    data = pack_of(campaign)
    assert take(other, data).status_code == 303
    mine, theirs = entry(campaign), entry(other)
    assert theirs.slug == f"shadow-step-{homebrew_of(other).homebrew.tag}"
    assert mine.pk != theirs.pk
    assert told(theirs) == told(mine)
    assert homebrew_of(other).revision == 0
    assert press_publish(other).status_code == 303
    assert "You already have all of this" in html_of(
        browser_of().post(at(other, "take/"), {"pack": SimpleUploadedFile("pack.zip", data)})
    )


ODD = [
    "A_b \N{EM DASH} Ünï", "日本", "- - -", "x" * 120, "1st: a 'thing' # not \"yaml\"", "{a: [b]}", "no",
    "Ω\N{LINE SEPARATOR}x",
]  # fmt: skip


@pytest.mark.parametrize("name", ODD)
def test_a_pack_carries_entries_with_odd_names(campaign, name):
    text = f"{name}\n\n  - one\n# two: three\n\ttab \N{PILE OF POO}\n"
    made = make(campaign, name=name, text=text, does="Bonus action: Slip_away, 1 use, back after a short rest")
    assert made.status_code == 303
    other = saltmarsh()
    assert take(other, pack_of(campaign)).status_code == 303
    mine, theirs = (homebrew_of(one).elements.get() for one in (campaign, other))
    assert (theirs.name, theirs.text.split()) == (mine.name, mine.text.split())
    assert press_publish(campaign).status_code == 303


@pytest.mark.parametrize("kind", [one for one in entries.KINDS if one != "spell"])  # there is no official spell
def test_a_copy_of_any_official_entry_can_be_published(campaign, kind):
    official = Element.objects.filter(source__is_core=True, kind=kind, status="published")[:3]
    copies = [browser_of().post(at(campaign, "copy/"), {"entry": one.pk}).status_code for one in official]
    assert set(copies) == {303}
    published = press_publish(campaign).status_code
    assert published == (422 if kind == "feature" else 303)  # nothing grants the copies of features


def test_a_pack_with_a_text_longer_than_a_form_takes_is_refused(campaign):
    make(campaign, text="long " * 1_500)
    data = pack_of(campaign)
    assert take(saltmarsh(), data).status_code == 303
    with ZipFile(BytesIO(data)) as archive:
        files = {one.filename: archive.read(one).replace(b"long", b"longer") for one in archive.infolist()}
    answer = take(saltmarsh(), zips.zipped(files.items()))
    assert answer.status_code == 422
    assert "must have at most 8,000 characters." in html_of(answer)


def test_reading_a_pack_stores_nothing(campaign):
    make(campaign)
    other = saltmarsh()
    data = pack_of(campaign)
    browser_of().post(at(other, "take/"), {"pack": SimpleUploadedFile("pack.zip", data)})
    assert homebrew_of(other) is None


def test_a_pack_is_not_added_once_the_entries_beside_it_have_changed_since_its_report(campaign):
    make(campaign)
    data, other, client = pack_of(campaign), saltmarsh(), browser_of()
    report = client.post(at(other, "take/"), {"pack": SimpleUploadedFile("pack.zip", data)}).context["report"]
    make(other, name="Shadow Stride")
    answer = client.post(at(other, "take/"), dict(report.initial))
    assert answer.status_code == 409
    assert [one.name for one in homebrew_of(other).elements.all()] == ["Shadow Stride"]
    assert client.post(at(other, "take/"), dict(answer.context["report"].initial)).status_code == 303
    assert homebrew_of(other).elements.count() == 2


def packed(method, name="source.yaml"):
    data = BytesIO()
    with ZipFile(data, "w", method) as archive:
        archive.writestr("source.yaml", "slug: x\n")
        archive.writestr(name, "a: b\n" * 9)
    return data.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no zip",
        b"PK\x03\x04" + b"\0" * 40,
        packed(ZIP_BZIP2, "talents.yaml"),
        packed(ZIP_LZMA, "talents.yaml"),
    ],
    ids=["empty", "text", "cut off", "bzip2", "lzma"],
)
def test_a_file_that_is_no_zip_is_refused_at_the_field(campaign, data):
    answer = take(campaign, data)
    assert answer.status_code == 422
    assert "not a zip that this site can read" in " ".join(answer.context["form"].errors["pack"])


def test_a_file_with_a_colon_in_its_name_is_refused_by_its_whole_name(campaign):
    answer = take(campaign, packed(ZIP_DEFLATED, "a:b.yaml"))
    assert answer.status_code == 422
    (reason,) = [reason for file, line, reason in answer.context["problems"] if (file, line) == ("a:b.yaml", "1")]
    assert reason.startswith("a pack has no such file")


def files(**named):
    return [SimpleUploadedFile(f"{name}.yaml", text.encode()) for name, text in named.items()]


@pytest.mark.parametrize(
    ("named", "sentence"),
    [
        ({"switches": "- {key: mine, name: Mine, type: flag, default: 'off'}"}, "stay with the rules of the game"),
        ({"skills": "- {slug: a, name: A, key_ability: ability:spirit}"}, "nothing of this kind"),
        ({"talents": "- {slug: a, name: A, grant: [{element: talent:none, as: gain}]}"}, "there is no element"),
    ],
)
def test_a_pack_brings_only_entries(campaign, named, sentence):
    source = "ruleset: {slug: polyhedral}\nsource: {slug: other, title: Other}\n"
    answer = browser_of().post(at(campaign, "take/"), {"pack": files(source=source, **named)})
    assert answer.status_code == 422
    assert sentence in html_of(answer)


@pytest.mark.parametrize(
    ("game", "sentences"),
    [("ruleset: {slug: chess}\n", ["this pack is for another game"]), ("", ["`ruleset` is missing"])],
)
def test_a_pack_of_another_game_or_of_none_is_refused(campaign, game, sentences):
    source = f"{game}source: {{slug: other, title: Other}}\n"
    answer = browser_of().post(at(campaign, "take/"), {"pack": files(source=source, talents="- {slug: a, name: A}")})
    assert answer.status_code == 422
    assert [sentence for _, _, sentence in answer.context["problems"]] == sentences


def test_no_pack_reaches_into_another_tables_homebrew(campaign):
    far = homebrew("Far", campaign=saltmarsh(), far="Far")
    for requires in ("[]", f"[{far.slug}]"):
        source = f"ruleset: {{slug: polyhedral}}\nsource: {{slug: other, title: Other, requires: {requires}}}\n"
        talents = "- {slug: a, name: A, grant: [{element: talent:far, as: gain}]}"
        answer = browser_of().post(at(campaign, "take/"), {"pack": files(source=source, talents=talents)})
        assert answer.status_code == 422
        assert "has it" not in html_of(answer)


def test_entries_of_another_table_are_not_found_like_missing_ones(campaign):
    far = homebrew("Far", campaign=saltmarsh(), far="Far").elements.get()
    homebrew("Near", campaign=campaign)
    for below in ("", "delete/"):
        for pk in (far.pk, 999_999):
            client = browser_of()
            where = at(campaign, f"{pk}/{below}")
            assert client.post(where, {"name": "Taken"}).status_code == 404
    far.refresh_from_db()
    assert far.name == "Far"


def test_members_read_published_entries_and_only_storytellers_write(campaign):
    source = homebrew("Book", campaign=campaign, moth="Mothwing")
    talent(source, "larva", "Larva")
    read = html_of(browser_of("bo").get(at(campaign)))
    assert "Mothwing in short" in read
    assert "Larva" not in read
    assert "Make" not in read.partition("<main")[2].partition("</main>")[0]
    assert browser_of("dee").get(at(campaign)).status_code == 404
    for below in ("new/talent/", "publish/", "copy/", "take/", "download/"):
        assert browser_of("bo").get(at(campaign, below)).status_code == 404


def test_a_co_storyteller_edits_homebrew_also_after_the_table_is_handed_over(campaign):
    make(campaign)
    sits(campaign, person("dee"), role="co-storyteller", name="Dee")
    assert edit(campaign, "dee", text="Dee's.").status_code == 303
    hand_over(campaign.pk, person(), campaign.members.get(user=person("dee").user).pk)
    assert edit(campaign, "dee", text="Dee's own.").status_code == 303


def test_characters_keep_published_homebrew_when_their_table_is_deleted(campaign, party):
    make(campaign, does="+1 to Defense")
    press_publish(campaign)
    put_in_play(campaign)
    source = homebrew_of(campaign)
    campaign.delete()
    assert Source.objects.get(pk=source.pk).homebrew.owner is None
    assert source.slug in sheet_of(fresh(party["bo"].pk))[1].sources


def queries_of(campaign, below=""):
    client = browser_of()
    client.get(at(campaign, below))
    with CaptureQueriesContext(connection) as taken:
        client.get(at(campaign, below))
    return len(taken)


@pytest.mark.parametrize("below", ["", "publish/", "copy/"])
def test_many_entries_take_as_many_queries_as_few(campaign, below):
    source = homebrew("Book", campaign=campaign, moth="Mothwing")
    talent(source, "moth-0", "Moth 0")
    few = queries_of(campaign, below)
    for number in range(1, 10):
        talent(source, f"moth-{number}", f"Moth {number}")
    assert queries_of(campaign, below) == few


def test_the_publish_page_takes_as_many_queries_for_sixty_entries_as_for_three(campaign, party):
    """Fewer than 40, like each page of the admin, with characters who play by the entries. Each further source that is
    in force for everyone takes one more."""
    source = homebrew("Book", campaign=campaign, moth="Mothwing")
    put_in_play(campaign)
    for number in range(3):
        talent(source, f"moth-{number}", f"Moth {number}")
    few = queries_of(campaign, "publish/")
    for number in range(3, 60):
        talent(source, f"moth-{number}", f"Moth {number}")
    assert queries_of(campaign, "publish/") == few < 40


def test_an_act_names_the_tables_own_condition(campaign):
    make(campaign, "condition", name="Bogged")
    press_publish(campaign)
    sits(campaign, person("bo"), name="Bo")
    hero = first_level(person("bo"), name="Mira")
    seats.bring(campaign.pk, person("bo"), hero.pk)
    put_in_play(campaign)
    bogged = {"condition": entry(campaign, "Bogged").ref}
    made = party_acts.do_to_several(campaign.pk, person(), new_key(), "add_condition", bogged, {hero.pk: ""})
    assert made.sentence == "Condition Bogged: Mira."


def test_a_thing_of_homebrew_that_is_not_in_play_has_a_name_without_marks(campaign):
    make(campaign, "gear", name="Bog lantern", cost_class="1", key=new_key())
    press_publish(campaign)
    sits(campaign, person("bo"), name="Bo")
    hero = first_level(person("bo"), name="Mira")
    seats.bring(campaign.pk, person("bo"), hero.pk)
    put_in_play(campaign)
    ref = entry(campaign, "Bog lantern").ref
    party_acts.do_to_several(campaign.pk, person(), new_key(), "add_item", {"ref": ref}, {hero.pk: ""})
    table_rules.decide(campaign.pk, person(), new_key(), switches={}, sources=[])
    sheet = browser_of("bo").get(hero.get_absolute_url()).content.decode()
    assert "Bog lantern" in sheet
    assert "Bog lantern " + ref.removeprefix("gear:bog-lantern-").replace("-", " ") not in sheet
    assert called("gear:bog-lantern-2-bcdfgh") == "Bog lantern 2"
    assert called("gear:oil-of-scented-rhythm") == "Oil of scented rhythm"
