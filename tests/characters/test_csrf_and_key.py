"""The tag that writes the hidden fields of a form."""

import re

from django.template import Context, Template

PAGE = Template("{% load csrf_and_key %}{% csrf_and_key %}|{% csrf_and_key %}")


def test_each_form_has_the_token_of_the_page_and_a_key_of_its_own():
    first, second = (
        dict(re.findall(r'name="(\w+)" value="(\w+)"', form))
        for form in PAGE.render(Context({"csrf_token": "abc"})).split("|")
    )
    assert first.keys() == {"csrfmiddlewaretoken", "key"}
    assert first["csrfmiddlewaretoken"] == second["csrfmiddlewaretoken"] == "abc"
    assert first["key"] != second["key"]
