"""The fixture `sound` finds the faults of a page."""

import pytest

from tests.support.browser import PHONE

GOOD = """<!doctype html><html lang="en"><title>A page</title><style>
  :root {{ color-scheme: light dark; }} p {{ {day} }}
  @media (prefers-color-scheme: dark) {{ p {{ {night} }} }}
</style><main><h1>A page</h1><p>{text}</p></main></html>"""
FAINT = "color: #999; background: #fff"


def written(text="Words.", day="", night=""):
    return GOOD.format(text=text, day=day, night=night)


@pytest.fixture
def judge(new_page, sound):
    page = new_page(width=PHONE)

    def judge(html):
        page.set_content(html)
        sound(page)

    return judge


def test_a_good_page_passes(judge):
    judge(written())


def test_a_part_that_fades_in_is_judged_at_its_end(judge):
    fades = "@keyframes fade { from { opacity: 0.1 } }</style>"
    judge(written(day="animation: fade 60s").replace("</style>", fades))


@pytest.mark.parametrize(
    ("html", "fault"),
    [
        (written("<input>"), "label"),
        (written(day=FAINT, night="color: #fff; background: #000"), "color-contrast"),
        (written(night=FAINT), "color-contrast"),
        (written("W" * 200), f" at {PHONE}\nassert .* <= {PHONE}"),
    ],
    ids=["a field without a label", "faint by day", "faint by night", "too wide"],
)
def test_a_bad_page_fails(judge, html, fault):
    with pytest.raises(AssertionError, match=fault):
        judge(html)
