"""The content security policy holds in the admin too, and the fixtures notice a breach of it and a missing label."""

import pytest
from django.urls import reverse


def test_the_admin_keeps_the_policy(new_page, admin_user):
    page = new_page(user=admin_user)
    for path in ("admin:index", "admin:auth_user_changelist", "admin:auth_user_add"):
        page.goto(reverse(path))
        assert page.locator("#content").count() == 1, path


def test_an_inline_script_is_refused_and_noticed(new_page):
    page = new_page()
    page.goto(reverse("account_login"))
    with page.expect_console_message(lambda message: message.type == "error"):
        page.evaluate(
            "() => { const script = document.createElement('script');"
            " script.textContent = 'document.title = \"taken over\"'; document.head.append(script); }"
        )
    assert page.title() != "taken over"
    assert "Content Security Policy" in new_page.complaints.pop()


def test_a_missing_label_is_noticed(page, axe):
    page.goto(reverse("account_login"))
    page.evaluate("() => document.querySelector('main').append(document.createElement('input'))")
    with pytest.raises(AssertionError, match="label"):
        axe(page)
