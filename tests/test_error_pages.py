import pytest
from django.template.loader import render_to_string


@pytest.mark.parametrize("status", [400, 403, 404, 413, 429, 500, 503])
def test_an_error_page_needs_no_context(status):
    page = render_to_string(f"{status}.html")
    assert page.count("<h1>") == 1
    assert 'href="/"' in page


def test_the_page_of_a_server_error_shows_its_id_and_needs_no_other_template():
    page = render_to_string("500.html", {"error_id": "ab12cd34"})
    assert "ab12cd34" in page
    assert "site-header" not in page
