"""Every address of the site is in the matrix of rights (tests/support/matrix.py), and answers each role as the matrix
says."""

import pytest
from django.test import Client
from django.urls import reverse

from characters.read.version_cache import VERSIONS
from characters.samples import add_samples
from tests.support.characters import SAMPLES
from tests.support.matrix import MATRIX, ROLES
from tests.support.visitors import named_urls, url_of, visit

# The admin guards its own pages, so one rule holds for all of them: only staff get past the sign-in, and staff
# without rights see nothing but the index and their password.
ADMIN_FOR_EVERY_STAFF = {
    "index",
    "logout",
    "password_change",
    "password_change_done",
    "jsi18n",
    "login",
    "autocomplete",
}
ADMIN_ARGUMENTS = {"app_label": "auth"}


def test_every_url_has_a_line():
    urls = {name for name, _ in named_urls() if not name.startswith("admin:")}
    assert len(urls) > 10
    assert urls == set(MATRIX), "Add the URL to MATRIX, or take the line of a URL that is gone out."


@pytest.mark.full  # the test above checks that each URL has a line
@pytest.mark.parametrize("name", sorted(MATRIX))
def test_each_role_gets_the_status_of_the_matrix(db, sessions, arguments, name):
    VERSIONS.values.clear()  # may hold characters of other tests
    line = MATRIX[name]
    if line.where.get("slug") in SAMPLES:
        add_samples()
    values = {**arguments, **line.where}
    found = tuple(visit(sessions.get(role, {}), role, url_of(name, values, role), line).status_code for role in ROLES)
    assert dict(zip(ROLES, found, strict=True)) == dict(zip(ROLES, line.statuses, strict=True)), name


def test_the_admin_is_closed_to_all_but_its_staff(db, sessions):
    clients = {role: Client() for role in ROLES}
    for role, cookies in sessions.items():
        clients[role].cookies.update(cookies)
    tried = 0
    for name, argument_names in named_urls():
        if not name.startswith("admin:") or argument_names is None:
            continue
        url = reverse(name, kwargs={argument: ADMIN_ARGUMENTS.get(argument, "1") for argument in argument_names})
        for role in ("anonymous", "owner", "stranger"):
            status = clients[role].get(url).status_code
            assert status in {302, 403, 405}, f"{url} answers {status} to {role}"
        if name.removeprefix("admin:") not in ADMIN_FOR_EVERY_STAFF:
            status = clients["staff"].get(url).status_code
            assert status in {302, 403, 404}, f"{url} answers {status} to staff without rights"
        tried += 1
    assert tried > 10
