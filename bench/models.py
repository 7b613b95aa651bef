from django.db import models


class Counter(models.Model):
    slug = models.SlugField(unique=True)
    name = models.CharField(max_length=100)
    count = models.IntegerField(default=0)

    def __str__(self):
        return self.name
