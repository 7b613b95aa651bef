"""Reading an uploaded portrait: any common picture, in; a small square one without metadata, out."""

import io

from PIL import Image, ImageOps, UnidentifiedImageError

FORMATS = ("JPEG", "PNG", "WEBP", "GIF")
LARGEST = 8_000_000  # bytes of an upload
MOST_PIXELS = 40_000_000
SIDE = 256  # pixels of the square that is kept: nearly twice the 136 of the largest that a page shows
QUALITIES = (82, 70, 58, 46, 34, 22)
LIGHT = 9_000  # bytes of a picture as it is kept, if any of the qualities can do it
TOO_LARGE = "That picture is too large: the limit is 8 MB."
TOO_MANY_PIXELS = "That picture has too many pixels: 40 million are the most."
NOT_A_PICTURE = "That is not a picture this site can read. Use a JPEG, PNG, WebP or GIF."


class BadPicture(Exception):
    """A file that cannot be a portrait; its text is the sentence for whoever sent it."""


def portrait(data: bytes) -> bytes:
    """The middle of the picture as a square WebP of at most 256 pixels, turned upright, without any metadata,
    in the best quality that makes it light.

    Raises BadPicture. The size in pixels is read from the head of the file, before anything is unpacked.
    """
    if len(data) > LARGEST:
        raise BadPicture(TOO_LARGE)
    try:
        with Image.open(io.BytesIO(data), formats=FORMATS) as picture:
            if picture.width * picture.height > MOST_PIXELS:
                raise BadPicture(TOO_MANY_PIXELS)
            upright = turned(picture)
            side = min(SIDE, upright.width, upright.height)
            square = ImageOps.fit(upright.convert("RGBA"), (side, side), Image.Resampling.LANCZOS)
    except Image.DecompressionBombError as bomb:
        raise BadPicture(TOO_MANY_PIXELS) from bomb
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError) as wrong:
        raise BadPicture(NOT_A_PICTURE) from wrong
    for quality in QUALITIES:
        kept = io.BytesIO()
        square.save(kept, "WEBP", quality=quality, exif=b"", icc_profile=None, xmp=b"")
        if kept.tell() <= LIGHT:
            break
    return kept.getvalue()


def turned(picture: Image.Image) -> Image.Image:
    """The picture as its camera held it; as it lies where the camera's notes are damaged, which Pillow meets with
    whatever error comes of it."""
    try:
        return ImageOps.exif_transpose(picture)
    except Exception:
        return picture
