"""A pack is uploaded in the admin: a report first, then one press stores it; faults are listed by file and line."""

import base64
import io
import pickle
import re
import zipfile
from dataclasses import asdict
from pathlib import Path
from random import Random

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.urls import reverse
from django.utils.datastructures import MultiValueDict

from characters.pages.packs import pack_trial
from characters.pages.packs.pack_forms import TOO_LARGE, PackForm
from rules.lint import check_rules
from rules.models import Choice, ChoiceOption, Element, Source, Stat, StatModifier, Suggestion, Talent
from rules.packs import check
from rules.packs.export import files_of
from rules.packs.load import files_in, load_files, load_rules
from rules.packs.packing import gathered, unzipped, zipped
from rules.packs.source_rows import read_source
from rules.publications import edited, in_force, publish
from tests.characters.cast import person
from tests.support.characters import owned_by
from tests.support.homebrew import homebrew

pytestmark = [pytest.mark.django_db, pytest.mark.full]
RIVER = files_in(Path(__file__).parents[2] / "docs/packs/river-folk")
UPLOAD = "/admin/rules/source/upload/"
STORE = "/admin/rules/source/upload/store/"
LAYER = b"ruleset: {slug: polyhedral}\nsource: {slug: house, title: House}\n"


@pytest.fixture(autouse=True, scope="module")
def checked_once():
    """Packs with the same rows are checked only once, because the check takes most of an upload."""
    known, check = {}, pack_trial.check_packs

    def remembered(ruleset, packs):
        rows = pickle.dumps([asdict(pack) for pack in packs])
        if rows not in known:
            known[rows] = check(ruleset, packs)
        return known[rows]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pack_trial, "check_packs", remembered)
        yield


def changed(name="talents.yaml", old=b"", new=b"", files=RIVER):
    assert old in files[name]
    return {**files, name: files[name].replace(old, new)}


RENAMED = changed(old=b"- slug: river-born", new=b"- slug: river-child\n  was: river-born")


def upload(client, files, name="river.zip"):
    """Uploads `files` as one zip, or bytes as they are under this name."""
    data = files if isinstance(files, bytes) else zipped(files, "river-folk")
    return client.post(UPLOAD, {"pack": SimpleUploadedFile(name, data)})


def press(client, report, **changes):
    return client.post(STORE, {**report.context["form"].initial, **changes})


def stored(client, files=RIVER):
    answer = press(client, upload(client, files))
    assert answer.status_code == 302
    return Source.objects.get(slug="river-folk")


def problems(answer):
    assert answer.status_code == 422
    return answer.context["problems"]


def said(answer):
    return [str(row) for row in answer.context["trial"].rows]


# A right pack


def test_a_zip_of_the_size_that_the_refusal_names_is_taken():
    said = int(re.search(r"(\d+) KB", TOO_LARGE)[1]) * 1000
    for size, refusals in ((said, []), (said * 1.1, [TOO_LARGE])):
        data = zipped({"source.yaml": Random(0).randbytes(int(size))})
        form = PackForm({}, MultiValueDict({"pack": [SimpleUploadedFile("large.zip", data)]}))
        assert [str(one) for one in form.errors.get("pack", [])] == refusals


def test_a_report_comes_first_and_stores_nothing(editor):
    rules = Element.objects.count(), Stat.objects.count(), Source.objects.count()
    answer = upload(editor, RIVER)
    assert answer.status_code == 200
    assert "New talent “River-born”" in said(answer)
    assert "Nothing is stored yet." in answer.text
    assert (Element.objects.count(), Stat.objects.count(), Source.objects.count()) == rules


def test_one_press_stores_the_pack(editor):
    answer = press(editor, upload(editor, RIVER))
    source = Source.objects.get(slug="river-folk")
    assert answer.url == f"/admin/rules/source/{source.pk}/change/"
    assert Element.objects.filter(source=source).count() == 3
    assert LogEntry.objects.get(object_id=source.pk).change_message == "Uploaded a pack."
    assert source.publications.get().author.username == "ada"


def test_the_files_of_a_folder_are_taken_like_a_zip_of_them(editor):
    sent = [SimpleUploadedFile(name, data) for name, data in RIVER.items()]
    answer = editor.post(UPLOAD, {"pack": sent})
    assert answer.context["form"].initial == upload(editor, RIVER).context["form"].initial


def test_the_report_says_what_would_change_and_how(editor):
    stored(editor)
    answer = upload(editor, changed(old=b"name: River-born", new=b"name: River child"))
    assert said(answer) == ["Talent “River child” is changed: name"]
    assert "<del>River-born</del>" in answer.text
    assert "<ins>River child</ins>" in answer.text
    press(editor, answer)
    assert Element.objects.get(slug="river-born").name == "River child"


def test_rows_keep_their_ids_and_a_file_cannot_set_one(editor):
    stored(editor)
    pk = Element.objects.get(slug="river-born").pk
    stored(editor, changed(old=b"name: River-born", new=b"name: River child"))
    assert Element.objects.get(slug="river-born").pk == pk
    [(file, line, reason)] = problems(upload(editor, changed(old=b"name: River-born", new=b"name: A\n  id: 7")))
    assert (file, line) == ("talents.yaml", "4")
    assert reason.startswith("`id` is not known here")


def test_a_renamed_entry_stays_with_those_who_hold_it(editor):
    stored(editor)
    pk = Element.objects.get(slug="river-born").pk
    answer = upload(editor, RENAMED)
    assert said(answer) == ["Talent “River-born” is changed: old slugs"]
    press(editor, answer)
    assert Element.objects.get(pk=pk).slug == "river-child"


def test_a_pack_that_the_site_has_already_cannot_be_stored_again(editor):
    stored(editor)
    answer = upload(editor, RIVER)
    assert said(answer) == []
    assert "There is nothing to store." in answer.text
    assert STORE not in answer.text


def conflicts(answer):
    """The conflicts of a report: {name: (said, [(label, was, here, coming)])}."""
    return {
        one.name: (one.said, [tuple(vars(part).values()) for part in one.parts])
        for one in answer.context["trial"].conflicts
    }


def here(**columns):
    Element.objects.filter(slug="river-born").update(**columns)


NAMED_ANEW = changed(old=b"name: River-born", new=b"name: River child")


@pytest.mark.parametrize("published", [False, True])
def test_a_conflict_shows_both_values(editor, published):
    source = stored(editor)
    assert conflicts(upload(editor, NAMED_ANEW)) == {}
    here(name="Born on the river", summary="Another.")
    if published:
        publish(source)
    answer = upload(editor, NAMED_ANEW)
    was = RIVER["talents.yaml"].decode().split('summary: "')[1].split('"')[0]
    said, parts = conflicts(answer)["River child"]
    assert said == ""
    assert parts == [
        ("name", ("River-born",), ("Born on the river",), ("River child",)),
        ("summary", (was,), ("Another.",), (was,)),
    ]
    shown = " ".join(answer.text.split())
    assert "Changed here in the meantime" in shown
    assert "<td>Born on the river" in shown
    assert "<td> as before </td>" in shown
    press(editor, answer)
    assert conflicts(upload(editor, RIVER)) == {}


def test_a_conflict_shows_the_lines_that_only_the_pack_changes(editor):
    def tough(amount):
        return changed(old=b"modify: [", new=b"modify: [{stat: health.max, op: add, amount: %d}, " % amount)

    stored(editor, tough(2))
    owner, defense = Element.objects.get(slug="river-born"), Stat.objects.get(key="defense")
    StatModifier.objects.create(owner=owner, stat=defense, op="add", amount=1)
    _, [part] = conflicts(upload(editor, tough(4)))["River-born"]
    assert part == ("changes of statistics", ("+2 Health",), ("+2 Health", "+1 Defense"), ("+4 Health",))
    _, [part] = conflicts(upload(editor, tough(2)))["River-born"]
    assert part == ("changes of statistics", (), ("+1 Defense",), ())


def test_a_value_changed_only_by_the_pack_or_alike_in_both_is_no_conflict(editor):
    stored(editor)
    here(name="River child")
    assert conflicts(upload(editor, NAMED_ANEW)) == {}
    more = {**NAMED_ANEW, "source.yaml": RIVER["source.yaml"].replace(b'"1"', b'"2"')}
    assert conflicts(upload(editor, more)) == {}


def test_an_entry_that_the_pack_renames_is_a_conflict_only_if_it_was_changed_here(editor):
    stored(editor)
    both = changed(old=b"name: River-born", new=b"name: River child", files=RENAMED)
    assert conflicts(upload(editor, both)) == {}
    here(name="Born on the river")
    said = ("name", ("River-born",), ("Born on the river",), ("River child",))
    assert conflicts(upload(editor, both)) == {"River child": ("", [said])}


def test_entries_made_or_deleted_here_are_conflicts(editor):
    source = stored(editor)
    Talent.objects.create(source=source, ruleset=source.ruleset, slug="eel", name="Eel")
    Suggestion.objects.filter(background__source=source).delete()
    Element.objects.filter(slug="ferryman").delete()
    assert conflicts(upload(editor, RIVER)) == {
        "Eel": ("It was made here, and the pack does not have it.", []),
        "Ferryman": ("It was removed here, and the pack has it.", []),
    }


def test_an_entry_changed_here_that_the_pack_no_longer_has_is_a_conflict(editor):
    stored(editor)
    here(name="Born on the river")
    answer = upload(editor, {name: data for name, data in RIVER.items() if name != "talents.yaml"})
    assert "Talent “Born on the river” is retired" in said(answer)
    said_of, _ = conflicts(answer)["Born on the river"]
    assert said_of == "It was changed here, and the pack does not have it."


def test_an_entry_retired_here_that_the_pack_changes_is_a_conflict(editor):
    stored(editor)
    here(status="retired")
    said_of, _ = conflicts(upload(editor, NAMED_ANEW))["River child"]
    assert said_of == "It was retired here, and the pack changes it."


def test_a_new_pack_has_no_conflicts(editor):
    assert upload(editor, RIVER).context["trial"].conflicts == ()


def test_loading_files_that_equal_unpublished_edits_publishes_them(editor):
    """The files differ from no row, but the rows had not been published."""
    source = stored(editor)
    here(name="River child")
    edited(source.pk)
    load_files(NAMED_ANEW)
    source.refresh_from_db()
    assert in_force(source).elements["talent:river-born"]["name"] == "River child"
    assert (source.loaded, source.edited) == (source.revision, None)


def test_characters_whose_numbers_would_change_are_counted_and_named(editor):
    stored(editor)
    rules = {"sources": ["polyhedral-core", "river-folk"], "switches": {}}
    owned_by(User.objects.create_user("bo"), name="Mira", house_rules=rules)
    owned_by(User.objects.create_user("cy"), name="Petra")
    trial = upload(editor, changed("source.yaml", b'version: "1"', b'version: "2"')).context["trial"]
    assert (trial.tried, trial.playing, trial.moved) == (1, 1, [])
    faster = b"- {slug: core, name: River rules, modify: [{stat: defense, op: add, amount: 3}]}"
    answer = upload(editor, {**RIVER, "rules.yaml": faster})
    [moved] = answer.context["trial"].moved
    assert str(moved.character) == "Mira"
    assert {one.shown.name: one.why for one in moved.moves}["Defense"] == ("River rules: +3",)
    assert '<dd class="kind">River rules: +3</dd>' in answer.text
    assert "1 of 1 sheets would change." in answer.text


def test_sheets_are_compared_for_the_report_only_and_after_its_rollback(editor, monkeypatch):
    """So that nobody else's change waits for the comparison."""
    seen = []

    def looking(*versions):
        seen.append(Source.objects.filter(slug="river-folk").exists())
        return moved(*versions)

    moved = pack_trial.moved
    monkeypatch.setattr(pack_trial, "moved", looking)
    report = upload(editor, RIVER)
    assert seen == [False]
    assert press(editor, report).status_code == 302
    assert seen == [False]


def test_rules_from_which_no_sheet_can_be_made_are_refused(editor, monkeypatch):
    def broken(*versions):
        raise KeyError("a name that the rules of a game need")

    monkeypatch.setattr(pack_trial, "moved", broken)
    answer = upload(editor, RIVER)
    assert answer.status_code == 422
    assert "with this pack the rules cannot be worked out" in answer.content.decode()
    assert not Source.objects.filter(slug="river-folk").exists()


def test_a_statistic_that_the_pack_removes_is_named_by_the_current_rules(editor):
    stats = RIVER["stats.yaml"] + b"- {key: luck, name: Luck of the river, group: Uses}\n"
    lucky = b"- {slug: core, name: River rules, modify: [{stat: luck, op: base, amount: 1}]}"
    stored(editor, {**RIVER, "stats.yaml": stats, "rules.yaml": lucky})
    rules = {"sources": ["polyhedral-core", "river-folk"], "switches": {}}
    owned_by(User.objects.create_user("bo"), name="Mira", house_rules=rules)
    [moved] = upload(editor, {**RIVER, "rules.yaml": b"- {slug: core, name: River rules}"}).context["trial"].moved
    [move] = moved.moves
    assert (move.shown.name, move.why) == ("Luck of the river", ("no longer River rules: starts at 1",))


def test_a_download_uploaded_again_gives_the_same_bytes(editor):
    source = stored(editor)
    url = reverse("admin:rules_source_download", args=[source.pk])
    first = editor.get(url)
    assert first["Content-Disposition"] == 'attachment; filename="river-folk.zip"'
    assert unzipped(first.content) == RIVER
    Element.objects.filter(slug="river-born").update(summary="Another")
    press(editor, upload(editor, first.content))
    assert editor.get(url).content == first.content


def test_the_core_rules_downloaded_and_uploaded_again_change_nothing(editor):
    core = editor.get(reverse("admin:rules_source_download", args=[Source.objects.get(is_core=True).pk])).content
    assert said(upload(editor, core)) == []


# Between the report and the press that stores it


def test_a_report_made_before_the_rules_changed_is_made_again(editor):
    report = upload(editor, RIVER)
    load_rules(Path(__file__).parents[2] / "docs/packs/river-folk")
    Element.objects.filter(slug="river-born").update(name="Otherwise")
    answer = press(editor, report)
    assert answer.status_code == 409
    assert "have changed since this report" in answer.text
    assert Element.objects.get(slug="river-born").name == "Otherwise"
    assert press(editor, answer).status_code == 302
    assert Element.objects.get(slug="river-born").name == "River-born"


def test_files_other_than_those_of_the_report_are_not_stored(editor):
    report = upload(editor, RIVER)
    other = zipped(changed(old=b"amount: 1", new=b"amount: 9"))
    assert press(editor, report, carried=base64.b64encode(other).decode()).status_code == 409
    assert not Source.objects.filter(slug="river-folk").exists()


@pytest.mark.parametrize("carried", ["", "!", "AAAA", base64.b64encode(zipped({"a.yaml": b""})).decode()])
def test_a_report_without_its_files_is_refused_in_a_sentence(editor, carried):
    answer = press(editor, upload(editor, RIVER), carried=carried)
    assert answer.status_code == 422
    assert "Upload the pack again." in answer.text


# A wrong pack

WRONG = [
    ("talents.yaml", b"- {slug: a, name: A, modify: [{stat: nothing, op: add, amount: 1}]}", "1", "no statistic"),
    ("talents.yaml", b"\n- {slug: a, name: A, modify: [{stat: defense, op: plus}]}", "2", "`op`: must be one of"),
    ("talents.yaml", b"- {slug: tough, name: Tough}", "1", "already belongs to source polyhedral-core"),
    ("talents.yaml", b"- " * 30 + b"a", "1", "more than 20 deep"),
    ("talents.yaml", b"[" * 900_000, "1", "more than 20 deep"),
    ("talents.yaml", b"- &a {slug: a, name: A}\n- *a", "1", "instead of pointing at an anchor"),
    ("talents.yaml", b"- !!python/object:os.system {}", "1", "is not allowed"),
    ("talents.yaml", b"\xff", "1", "the file is not UTF-8"),
    ("rituals.yaml", b"[]", "1", "a pack has no such file"),
    ("source.yaml", LAYER.replace(b"polyhedral", b"nobody"), "1", "so it needs `game`"),
    ("source.yaml", b"ruleset: {slug: polyhedral}", "1", "`source` is missing"),
    ("talents.yaml", b"- " + b"[" + b"1," * 150_000 + b"]", "1", "at most 100,000 values"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "data", "line", "reason"), WRONG, ids=[f"{one[0]}: {one[3]}" for one in WRONG])
def test_a_wrong_pack_is_refused_with_file_line_and_reason(editor, name, data, line, reason):
    found = problems(upload(editor, {"source.yaml": LAYER, name: data}))
    assert [(file, at) for file, at, why in found if reason in why] == [(name, line)], found
    assert not Source.objects.filter(slug="house").exists()


def test_an_upload_cannot_overwrite_homebrew(editor):
    source = homebrew("Moths", owner=person().user)
    files = {name: text.encode() for name, text in files_of(read_source(source)).items()}
    [problem] = problems(upload(editor, files))
    assert "is a homebrew’s" in str(problem)


def test_every_problem_is_listed_at_once(editor):
    talents = b"- {slug: a, name: A, modify: [{stat: nothing, op: add}]}\n- {slug: b}"
    found = problems(upload(editor, {"source.yaml": LAYER, "talents.yaml": talents, "skills.yaml": b"- 7"}))
    assert {(file, line) for file, line, _ in found} == {
        ("talents.yaml", "1"), ("talents.yaml", "2"), ("skills.yaml", "1")
    }  # fmt: skip


def test_rules_that_cannot_be_played_are_refused(editor):
    choice = b"{slug: which, prompt: Which?, count: 3, options: [talent:b]}"
    grown = b"- {slug: a, name: A, choices: [" + choice + b"]}\n- {slug: b, name: B}"
    found = problems(upload(editor, {"source.yaml": LAYER, "talents.yaml": grown}))
    assert any("a.which" in why for _, _, why in found), found


def test_an_earlier_fault_in_the_rules_does_not_block_an_upload(editor):
    core = Source.objects.get(is_core=True)
    talent = Talent.objects.create(ruleset=core.ruleset, source=core, slug="a", name="A", status="published")
    choice = Choice.objects.create(owner=talent, slug="which", prompt="Which?", count=3)
    ChoiceOption.objects.create(choice=choice, element=Talent.objects.get(slug="tough"))
    publish(core)
    assert check_rules(core.ruleset)[0].error
    assert stored(editor).title == "The river folk"


def test_the_files_are_read_before_anything_is_locked(editor, monkeypatch):
    """Each file once for the report, and once when it is stored."""
    outside, inside, read_file = len(connection.savepoint_ids), [], check.read_file

    def read(*file):
        inside.append(len(connection.savepoint_ids))
        return read_file(*file)

    monkeypatch.setattr(check, "read_file", read)
    press(editor, upload(editor, RIVER))
    assert inside == [outside] * 2 * len(RIVER)


def test_a_pack_with_too_many_entries_is_refused(editor, monkeypatch):
    monkeypatch.setattr(check, "MOST_ROWS", 3)
    [(_, _, reason)] = problems(upload(editor, RIVER))
    assert "at most 3 entries" in reason


def bomb():
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("source.yaml", LAYER)
        archive.writestr("talents.yaml", b" " * 50_000_000)
    return written.getvalue()


def many():
    return zipped({f"{at}.yaml": b"" for at in range(600)})


# A zip with one file, whose place is said to be 2 to the power of 63.
FAR_AWAY = bytes.fromhex(
    "504b0304140000000000c2907c5d8316dc8c01000000010000000b000000736f757263652e79616d6c78"
    "504b01021403140000000000c2907c5d8316dc8c01000000010000000b000c0000000000000000008001ffffffff"
    "736f757263652e79616d6c010008000000000000000080504b05060000000001000100450000002a0000000000"
)
NO_PACK = [
    (b"no zip", "not a zip that this site can read"),
    (FAR_AWAY, "not a zip that this site can read"),
    (zipped(RIVER)[:300], "not a zip that this site can read"),
    (zipped({"talents.yaml": b""}), "no source.yaml in the zip"),
    (zipped({"a/source.yaml": LAYER, "b/source.yaml": LAYER}), "more than one source.yaml"),
    (bomb(), "more than 2 MB"),
    (many(), "more than 500 files"),
]


@pytest.mark.parametrize(("data", "sentence"), NO_PACK, ids=[one[1] for one in NO_PACK])
def test_a_file_that_is_no_pack_is_refused_at_the_field(editor, data, sentence):
    answer = upload(editor, data)
    assert answer.status_code == 422
    assert sentence in " ".join(answer.context["form"].errors["pack"])


def test_an_upload_with_no_file_a_wrong_file_or_a_file_twice_is_refused(editor):
    assert "Choose a zip" in editor.post(UPLOAD, {}).text
    sent = [SimpleUploadedFile("source.yaml", LAYER), SimpleUploadedFile("a.png", b"x")]
    assert "a.png is no YAML file" in editor.post(UPLOAD, {"pack": sent}).text
    twice = [SimpleUploadedFile("source.yaml", LAYER)] * 2
    assert "is there twice" in editor.post(UPLOAD, {"pack": twice}).text


def test_hidden_files_and_files_of_other_kinds_in_a_zip_are_ignored():
    added = {"__MACOSX/._source.yaml": b"x", "river/.hidden.yaml": b"x", "river/source.yaml": LAYER, "river/a.txt": b""}
    assert gathered([("river.zip", zipped(added))]) == {"source.yaml": LAYER}


# Rights


@pytest.mark.parametrize(("right", "status"), [("add_source", 200), ("change_source", 403)])
def test_only_staff_who_may_add_sources_may_upload(client, right, status):
    staff = User.objects.create_user("bo", is_staff=True)
    staff.user_permissions.add(Permission.objects.get(codename=right))
    client.force_login(staff)
    assert client.get(UPLOAD).status_code == status
    assert upload(client, RIVER).status_code == status
    assert client.post(STORE, {}).status_code == (422 if status == 200 else 403)


def test_a_get_of_the_address_that_stores_leads_to_the_upload(editor):
    assert editor.get(STORE).url == UPLOAD


def test_the_admin_links_to_the_upload_and_the_download(editor):
    assert UPLOAD in editor.get("/admin/rules/source/").text
    core = Source.objects.get(is_core=True)
    assert f"/admin/rules/source/{core.pk}/download/" in editor.get(f"/admin/rules/source/{core.pk}/change/").text
