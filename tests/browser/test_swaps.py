"""The parts that an action draws into the page have no accessibility violations: every action, done and refused."""

import re

import pytest

from tests.characters.play_pages.actions import CASES, ready
from tests.characters.play_pages.conftest import Player
from tests.support.browser import PHONE

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TARGET = re.compile(r'<hx-partial hx-target="(#[\w.-]+)"')
# The address of the page with the action's form, if the name of the page is not enough.
BELOW = {"pool": "pool/?ranks=4"}
# The regions without ids and values of fields, so that two that differ only in these are judged once.
STANDS = """(targets) => targets
  .map(one => [one, document.querySelector(one)?.outerHTML.replace(/[-/]\\d+| value="[^"]*"/g, '')])
  .filter(([one, html]) => html)
"""
# Sends the action by its own form on the page, unfolded, with the form's key and version.
SEND = """async ([which, fields, address]) => {
  const forms = [...document.querySelectorAll(which)];
  const sends = (form, [name, value]) => form.elements[name]?.type !== 'hidden' || form.elements[name].value === value;
  const form = forms.find(one => Object.entries(fields).every(field => sends(one, field))) ?? forms[0];
  for (let one = form.closest('details'); one; one = one.parentElement.closest('details')) one.open = true;
  await htmx.ajax('POST', address, { source: form, values: fields });
}"""


# They need a hit against a target and a weapon that was shot with; other actions draw the same regions.
NOT_READY = {"turn-critical", "reload"}


def test_the_regions_that_each_action_draws_have_no_violations(new_page, axe, ana, client):
    page, judged, broken = new_page(width=PHONE, user=ana), set(), []
    for slug, case in CASES.items():
        if slug in NOT_READY:
            continue
        player = Player(ana, client)
        if slug == "turn-aside":
            player.put_resolve(2)
        fields = {name: str(value) for name, value in ready(player, slug).items()}
        below = BELOW.get(case.page, case.page and f"{case.page}/")
        address = f"{player.base}play/{slug}/"
        forms = f'#live form[action="{address}"], #live form:has([formaction="{address}"])'
        for status, asked in ((422, case.wrong), (200, fields)):  # a refused action changes nothing
            if asked is None:
                continue
            if not page.locator(forms).count():
                page.goto(f"{player.base}{below}")
            with page.expect_response("**/play/**") as answer:
                page.evaluate(SEND, [forms, asked, address])
            assert answer.value.status == status, slug
            drawn = page.evaluate(STANDS, TARGET.findall(answer.value.text()))
            assert drawn, slug
            new = [one for one, html in drawn if html not in judged]
            judged.update(html for _, html in drawn)
            try:
                if new:
                    axe(page, within=new)
            except AssertionError as found:
                broken.append(f"{slug}, {status}: {found}")
    assert not broken, "\n".join(broken)
