"""Homebrew to test with."""

from campaigns.models import TableHomebrew
from characters.models import Character
from rules.homebrew import begun
from rules.models import HouseRules, Ruleset, Spell, StatModifier, Talent
from rules.publications import publish


def homebrew(title="Homebrew", *, owner=None, campaign=None, published=True, **talents):
    """A private source of the core game with talents, given as slug and name. Each adds 1 to Defense."""
    source = begun(Ruleset.objects.get(slug="polyhedral"), title, owner)
    if campaign:
        TableHomebrew.objects.create(campaign=campaign, homebrew=source.homebrew)
    for slug, name in talents.items():
        talent(source, slug, name)
    if published:
        publish(source)
    return source


def talent(source, slug, name):
    made = Talent.objects.create(
        ruleset=source.ruleset, source=source, slug=slug, name=name, summary=f"{name} in short"
    )
    stat = source.ruleset.stats.get(key="defense")
    StatModifier.objects.create(owner=made, stat=stat, op="add", amount=1)
    return made


def spell(source, slug, name, **columns):
    return Spell.objects.create(ruleset=source.ruleset, source=source, slug=slug, name=name, **columns)


def in_play(source, *characters):
    """Put the source in play for each character, without a change in the character's history."""
    for character in characters:
        character.refresh_from_db()
        if character.house_rules is None:
            character.house_rules = HouseRules.objects.create(ruleset=source.ruleset)
            Character.objects.filter(pk=character.pk).update(house_rules=character.house_rules)
        character.house_rules.sources.add(source)


def put_in_play_by_hand(page, *, script):
    """Put the table's homebrew in play in a browser, from the page after publishing, for the table and the one
    character that sits there."""
    page.get_by_role("link", name="House rules of the table").click()
    page.get_by_label("Homebrew of Saltmarsh").select_option("in")
    if not script:
        page.locator("#preview").click()
    page.locator("#save").click()
    page.get_by_text("1 character plays by these rules now.").wait_for()
