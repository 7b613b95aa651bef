"""The face of a character: drawn, uploaded or initials; uploads are encoded again, small and without metadata."""

import io
import struct
import zlib
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.utils import timezone
from PIL import Image, ImageOps

from characters import verbs
from characters.change import portraits
from characters.change.portraits import (
    LARGEST,
    LIGHT,
    MOST_PIXELS,
    NOT_A_PICTURE,
    QUALITIES,
    SIDE,
    TOO_LONG,
    TOO_MANY_PIXELS,
    TOO_MUCH_WORK,
    BadPicture,
    portrait,
)
from characters.change.refusals import Refused
from characters.models import Character, Picture
from characters.read.faces import initials, medallion
from tests.characters.cast import mira, new_key, person, refuses
from tests.characters.play.table import play
from tests.support.html import html_of
from tests.support.pictures import RED, drawing, noise, opened

pytestmark = [pytest.mark.django_db, pytest.mark.full]
BLUE = (30, 30, 200)


def png(width, height, packed=b"", interlaced=0, after=None):
    """A PNG of 8-bit gray with these compressed rows, followed by an empty chunk if `after` names one."""

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, interlaced)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", packed)
        + (chunk(after, b"") if after else b"")
        + chunk(b"IEND", b"")
    )


def of_many_scans():
    """A progressive JPEG whose last scan is repeated until it fills a megabyte."""
    data = drawing(size=(1_000, 1_000), progressive=True)
    scan = data[data.rindex(b"\xff\xda") : -2]
    return data[:-2] + scan * (1_000_000 // len(scan)) + data[-2:]


def of_many_notes():
    """A JPEG with very many small EXIF blocks, which are joined when it is read."""
    note = b"\xff\xe1" + struct.pack(">H", 8) + b"Exif\0\0"
    return drawing()[:2] + note * (3_000_000 // len(note)) + drawing()[2:]


class TestPortrait:
    @pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP", "GIF"])
    def test_the_common_formats_become_a_square_webp(self, form):
        kept = opened(portrait(drawing(form, (900, 700))))
        assert (kept.format, kept.size) == ("WEBP", (256, 256))

    @pytest.mark.parametrize(("deviation", "quality"), [(0, 82), (24, 46), (255, 22)])
    def test_a_picture_with_more_detail_is_saved_at_lower_quality(self, deviation, quality):
        picture = noise(600, deviation)
        data = io.BytesIO()
        picture.save(data, "PNG")
        same = io.BytesIO()
        square = ImageOps.fit(picture.convert("RGBA"), (SIDE, SIDE), Image.Resampling.LANCZOS)
        square.save(same, "WEBP", quality=quality)
        assert portrait(data.getvalue()) == same.getvalue()
        assert len(same.getvalue()) <= LIGHT or quality == QUALITIES[-1]

    def test_a_large_jpeg_is_decoded_at_a_reduced_size(self, monkeypatch):
        """At full size it takes four bytes a pixel, and as much again for each copy."""
        sizes = []
        monkeypatch.setattr(portraits, "middle", lambda picture: sizes.append(picture.size) or picture)
        portrait(drawing(size=(4_000, 3_000)))
        assert sizes == [(1_000, 750)]

    def test_a_transparent_palette_color_does_not_bleed(self):
        picture = Image.new("P", (400, 400), 0)
        picture.putpalette([*RED, *BLUE])
        picture.paste(1, (0, 0, 200, 400))
        data = io.BytesIO()
        picture.save(data, "GIF", transparency=0)
        kept = opened(portrait(data.getvalue())).convert("RGBA")
        assert kept.getpixel((30, 100))[3] == 255
        assert kept.getpixel((220, 100))[3] == 0

    def test_a_small_picture_is_not_enlarged(self):
        assert opened(portrait(drawing(size=(80, 60)))).size == (60, 60)

    @pytest.mark.parametrize("scale", [1, 20])  # the larger is decoded at a fraction of its size
    def test_the_metadata_is_deleted_and_the_picture_is_upright(self, scale):
        picture = Image.new("RGB", (200 * scale, 100 * scale), RED)
        picture.paste(BLUE, (0, 0, 100 * scale, 100 * scale))  # the left half, which is the top when turned
        exif = Image.Exif()
        exif[0x0112] = 6  # turn a quarter to the right
        exif[0x010F] = "The camera of Ana"
        data = io.BytesIO()
        picture.save(data, "JPEG", exif=exif, quality=95, comment=b"secret")
        assert b"The camera of Ana" in data.getvalue()
        made = portrait(data.getvalue())
        kept = opened(made)
        assert not kept.getexif()
        assert b"Ana" not in made
        assert b"secret" not in made
        middle, low = kept.width // 2, kept.height - 6
        top, bottom = kept.convert("RGB").getpixel((middle, 5)), kept.convert("RGB").getpixel((middle, low))
        assert top[2] > top[0]
        assert bottom[0] > bottom[2]

    def test_a_decompression_bomb_is_refused_by_its_header(self):
        with pytest.raises(BadPicture, match=TOO_MANY_PIXELS):
            portrait(png(9_000, 9_000))

    @pytest.mark.parametrize("size", [(1, 65_536), (65_536, 1)])
    def test_a_picture_of_one_row_or_one_column_is_refused(self, size):
        """Each row of one pixel takes memory of its own: 40 million took three gigabytes."""
        with pytest.raises(BadPicture, match=TOO_LONG):
            portrait(png(*size, zlib.compress(bytes(2 * 65_536))))

    @pytest.mark.parametrize("data", [of_many_scans(), of_many_notes()], ids=["scans", "notes"])
    def test_a_picture_that_takes_too_long_to_decode_is_refused(self, data, monkeypatch):
        monkeypatch.setattr("characters.change.portraits.MOST_SECONDS", 0.1)
        with pytest.raises(BadPicture, match=TOO_MUCH_WORK):
            portrait(data)

    @pytest.mark.parametrize(
        "data",
        [
            png(64, 64, zlib.compress(bytes(500)), interlaced=1),
            png(64, 64, zlib.compress(bytes(64 * 65)), after=b"iCCP"),
        ],
        ids=["cut off between its rows", "an empty profile at its end"],
    )
    def test_a_damaged_picture_is_refused_however_pillow_fails(self, data):
        with pytest.raises(BadPicture, match=NOT_A_PICTURE):
            portrait(data)

    def test_a_picture_with_the_most_pixels_allowed_is_read(self):
        side = int(MOST_PIXELS**0.5)
        assert opened(portrait(drawing("PNG", (side, side), compress_level=1))).size == (256, 256)

    @pytest.mark.parametrize(
        ("tag", "kind", "count", "value"),
        [
            (0x010E, 5, 1, b"\0\0\0\x08"),  # a description that is a fraction
            (0x011A, 2, 4, b"abc\0"),  # a resolution that is text
            (0x0100, 2, 4, b"abc\0"),  # a width that is text
        ],
    )
    def test_a_picture_with_damaged_exif_is_kept_without_rotation(self, tag, kind, count, value):
        notes = struct.pack(">HHI4s", tag, kind, count, value) + struct.pack(">HHIHH", 0x0112, 3, 1, 6, 0)
        exif = b"Exif\0\0MM\0*" + struct.pack(">IH", 8, 2) + notes + struct.pack(">I", 0)
        data = drawing(exif=exif)
        with pytest.raises(Exception):  # noqa: B017, PT011
            ImageOps.exif_transpose(opened(data))
        assert opened(portrait(data)).size == (60, 60)

    @pytest.mark.parametrize(
        "data",
        [
            b"",
            b"no picture",
            b"<svg xmlns='http://www.w3.org/2000/svg'/>",
            drawing()[:100],
            drawing("TIFF"),
            drawing("BMP"),
        ],
        ids=["empty", "text", "svg", "cut off", "tiff", "bmp"],
    )
    def test_a_file_that_is_no_supported_picture_is_refused(self, data):
        with pytest.raises(BadPicture, match=NOT_A_PICTURE):
            portrait(data)

    def test_a_file_that_is_too_large_is_refused_unread(self):
        with pytest.raises(BadPicture, match="8 MB"):
            portrait(b"x" * (LARGEST + 1))


@pytest.mark.parametrize(
    ("name", "letters"),
    [("Mira", "M"), ("Tamsin Oake", "TO"), ("Ana of the Vale", "AV"), ("(old) élan", "É"), ("", "?"), ("---", "?")],
)
def test_initials_come_from_the_words_of_a_name(name, letters):
    assert initials(name) == letters


@pytest.fixture
def ana(client):
    character = mira()
    client.force_login(person().user)
    return character, client


def now(character):
    return Character.objects.get(pk=character.pk)


def upload(client, character, data, **more):
    file = SimpleUploadedFile("me.jpg", data, "image/jpeg")
    return client.post(f"/characters/{character.pk}/face/", {"picture": file, "key": new_key(), **more})


def test_a_drawn_face_is_chosen_and_undone(ana):
    character, client = ana
    response = client.post(f"/characters/{character.pk}/face/", {"face": "hooded", "key": new_key()})
    assert response.status_code == 303
    assert now(character).face == "drawn:hooded"
    assert "#hooded" in medallion(now(character))
    play.undo(character.pk, person(), new_key(), change=now(character).version)
    assert now(character).face == ""


def test_setting_the_same_face_is_refused(ana):
    character, _ = ana
    with refuses("face"):
        verbs.set_face(character.pk, person(), new_key(), face="")


def test_a_photo_of_several_megabytes_is_taken(ana):
    character, client = ana
    data = io.BytesIO()
    Image.effect_noise((2_000, 2_000), 90).save(data, "PNG")
    assert 3_000_000 < len(data.getvalue()) < 8_000_000
    assert upload(client, character, data.getvalue()).status_code == 303
    too_much = upload(client, character, b"x" * 8_200_000)
    assert too_much.status_code == 413
    assert "the limit is 8 MB" in html_of(too_much)


def test_a_picture_is_stored_and_served_to_those_who_may_see_the_character(ana, client):
    character, client = ana
    assert upload(client, character, drawing()).status_code == 303
    digest = now(character).face.removeprefix("picture:")
    assert f"{digest}.webp" in medallion(now(character))
    response = client.get(f"/characters/{character.pk}/face/{digest}.webp")
    assert response["Content-Type"] == "image/webp"
    assert response["Cache-Control"].startswith("private")
    assert opened(response.content).size == (60, 60)
    client.force_login(person("bo").user)
    assert client.get(f"/characters/{character.pk}/face/{digest}.webp").status_code == 404


def test_no_picture_of_another_character_is_served(ana):
    character, client = ana
    upload(client, character, drawing())
    digest = now(character).face.removeprefix("picture:")
    assert client.get(f"/characters/{mira().pk}/face/{digest}.webp").status_code == 404


def test_undoing_the_undo_of_a_picture_restores_it(ana):
    character, client = ana
    upload(client, character, drawing())
    number = now(character).version
    play.undo(character.pk, person(), new_key(), change=number)
    assert now(character).face == ""
    play.undo(character.pk, person(), new_key(), change=number + 1)
    digest = now(character).face.removeprefix("picture:")
    assert client.get(f"/characters/{character.pk}/face/{digest}.webp").status_code == 200


@pytest.mark.parametrize("data", [b"no picture", b""], ids=["text", "empty"])
def test_a_bad_file_is_refused_at_its_field(ana, data):
    character, client = ana
    response = upload(client, character, data)
    assert response.status_code == 422
    assert b"field-error" in response.content
    assert now(character).face == ""
    assert not Picture.objects.exists()


def test_a_form_without_a_key_or_a_face_is_refused(ana):
    character, client = ana
    assert upload(client, character, drawing(), key="").status_code == 422
    response = client.post(f"/characters/{character.pk}/face/", {"face": "nobody", "key": new_key()})
    assert response.status_code == 422
    assert "There is no such face" in response.content.decode()
    assert now(character).face == ""


def test_the_same_form_twice_counts_once(ana):
    character, client = ana
    key = new_key()
    first = upload(client, character, drawing(), key=key)
    second = upload(client, character, drawing(), key=key)
    assert (first.status_code, second.status_code) == (303, 303)
    assert now(character).version == character.version + 1


def test_the_number_of_pictures_is_limited(ana, monkeypatch):
    character, _ = ana
    monkeypatch.setattr("characters.verbs.face.MOST_PICTURES", 1)
    verbs.set_picture(character.pk, person(), new_key(), picture=portrait(drawing()))
    with pytest.raises(Refused, match="Choose a drawn face"):
        verbs.set_picture(character.pk, person(), new_key(), picture=portrait(drawing(color=BLUE)))


def test_the_nightly_command_deletes_pictures_that_no_undo_can_restore(ana):
    character, client = ana
    upload(client, character, drawing())
    Picture.objects.create(digest="0" * 64, data=b"x", size=1)
    call_command("nightly")
    assert Picture.objects.count() == 2  # a day's grace
    Picture.objects.update(made_at=timezone.now() - timedelta(days=2))
    verbs.set_face(character.pk, person(), new_key(), face="")
    call_command("nightly")
    assert [picture.size for picture in Picture.objects.all()] == [len(portrait(drawing()))]


def test_a_copy_has_the_face_too(ana):
    character, client = ana
    upload(client, character, drawing())
    copy = verbs.copy(character.pk, person(), new_key()).character
    digest = now(copy).face.removeprefix("picture:")
    assert client.get(f"/characters/{copy.pk}/face/{digest}.webp").status_code == 200
