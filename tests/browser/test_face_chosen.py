"""A character's face is chosen, and shows on the sheet and in the list of characters."""

import io

import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.support.browser import PHONE
from tests.support.characters import owned_by

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def picture(tmp_path):
    data = io.BytesIO()
    Image.new("RGB", (640, 480), (120, 60, 30)).save(data, "JPEG")
    path = tmp_path / "me.jpg"
    path.write_bytes(data.getvalue())
    return path


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
def test_a_face_is_chosen_and_a_picture_uploaded(new_page, ana, picture, script):
    character = owned_by(ana)
    page = new_page(user=ana, script=script)
    page.goto(character.get_absolute_url())
    page.get_by_role("link", name="Change the face of").click()
    page.get_by_role("button", name="Helmed").click()
    expect(page.get_by_role("button", name="Helmed", pressed=True)).to_be_visible()
    page.get_by_label("A picture").set_input_files(picture)
    page.get_by_role("button", name="Upload", exact=True).click()
    expect(page.locator(".face-head img")).to_be_visible()
    for path in (character.get_absolute_url(), "/characters/"):
        page.goto(path)
        image = page.locator(".face img").first
        expect(image).to_be_visible()
        assert image.evaluate("one => one.decode().then(() => one.naturalWidth)") == 256


@pytest.mark.parametrize("dark", [False, True], ids=["day", "night"])
def test_the_page_of_faces_is_accessible_and_fits(new_page, ana, sound, dark):
    page = new_page(user=ana, dark=dark)
    page.goto(f"/characters/{owned_by(ana).pk}/face/")
    sound(page)


def test_the_faces_are_equally_high_on_a_phone(new_page, ana):
    page = new_page(user=ana, width=PHONE)
    page.goto(f"/characters/{owned_by(ana).pk}/face/")
    assert len({round(face.bounding_box()["height"]) for face in page.locator(".face-choice").all()}) == 1
