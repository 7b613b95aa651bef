from django.db import models

from .bounds import between, texts_at_most

LARGEST = 400_000  # bytes of a stored picture


class Picture(models.Model):
    """An uploaded picture, as the site has encoded it again.

    A portrait is named by the hash of its bytes, so equal ones are kept once; a campaign's picture by its campaign and
    its bytes, so that it is deleted with the campaign. Pictures are rows, not files: backups have them, and every
    process of the site can serve them.
    """

    digest = models.CharField(max_length=64, unique=True)
    data = models.BinaryField(max_length=LARGEST)
    size = models.PositiveIntegerField(help_text="In bytes.")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            between("size", 1, LARGEST, "picture_size_in_bounds"),
            texts_at_most("picture_texts_in_bounds", digest=64),
        ]

    def __str__(self) -> str:
        return self.digest[:12]
