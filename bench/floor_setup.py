"""Make the floor's table and its one row: `python -m bench.floor_setup`, with DJANGO_SETTINGS_MODULE=bench.floor."""

import django


def main():
    django.setup()

    from django.db import connection

    from .models import Counter

    with connection.schema_editor() as editor:
        editor.create_model(Counter)
    Counter.objects.create(slug="bench", name="The floor")


if __name__ == "__main__":
    main()
