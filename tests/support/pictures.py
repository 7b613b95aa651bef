"""Pictures to upload, and to look into."""

import io

from PIL import Image

RED = (200, 30, 30)


def drawing(form="JPEG", size=(80, 60), color=RED, **how):
    data = io.BytesIO()
    Image.new("RGB", size, color).save(data, form, **how)
    return data.getvalue()


def opened(data):
    return Image.open(io.BytesIO(data))
