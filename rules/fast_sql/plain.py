"""The same as `prepared`, asked of Django's ORM anew each time: its meaning, and its stand-in with the switch off."""

from collections.abc import Callable, Iterator

from django.db.models import Model, QuerySet

from .prepared import NO_ROW


class Prepared:
    def __init__(self, build: Callable[..., QuerySet], *marks: int | str):
        self.build = build

    def query(self, values) -> QuerySet:
        return self.build(*(NO_ROW if value is None else value for value in values))

    def rows(self, *values: int | str | None) -> list[tuple]:
        return list(self.query(values))


class PreparedObjects(Prepared):
    def first(self, *values: int | str | None):
        return next(self.each(*values), None)

    def all(self, *values: int | str | None) -> list:
        return list(self.each(*values))

    def each(self, *values: int | str | None) -> Iterator:
        return iter(self.query(values))


class PreparedDelete(Prepared):
    def run(self, *values: int | str | None) -> None:
        self.query(values).delete()


class PreparedInsert:
    def __init__(self, model: type[Model], *, unique: tuple[str, ...] = (), update: tuple[str, ...] = ()):
        self.model = model
        self.upsert = {"update_conflicts": True, "unique_fields": unique, "update_fields": update} if unique else {}

    def put(self, *rows: Model) -> None:
        self.model.objects.bulk_create(rows, **self.upsert)


class PreparedUpdate:
    def __init__(self, model: type[Model]):
        self.model = model

    def put(self, columns: dict, **which) -> None:
        self.model.objects.filter(**which).update(**columns)


def new_model(model: type[Model], **columns) -> Model:
    return model(**columns)
