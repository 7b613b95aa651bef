"""The same queries as in `prepared`, through Django's ORM each time. They define the results, and run if FAST_SQL is
off."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from django.db.models import Model, QuerySet

from .prepared import NO_ROW, Row


class Prepared:
    def __init__(self, build: Callable[..., QuerySet], *placeholders: int | str) -> None:
        self.build = build

    def query(self, values: Iterable[int | str | None]) -> QuerySet:
        return self.build(*(NO_ROW if value is None else value for value in values))

    def rows(self, *values: int | str | None) -> list[Row]:
        return list(self.query(values))


class PreparedObjects(Prepared):
    def first(self, *values: int | str | None) -> Model | None:
        return next(self.each(*values), None)

    def all(self, *values: int | str | None) -> list[Model]:
        return list(self.each(*values))

    def each(self, *values: int | str | None) -> Iterator[Model]:
        return iter(self.query(values))


class PreparedDelete(Prepared):
    def run(self, *values: int | str | None) -> None:
        self.query(values).delete()


class PreparedInsert:
    def __init__(self, model: type[Model], *, unique: tuple[str, ...] = (), update: tuple[str, ...] = ()) -> None:
        self.model = model
        self.upsert = {"update_conflicts": True, "unique_fields": unique, "update_fields": update} if unique else {}

    def put(self, *rows: Model) -> None:
        self.model.objects.bulk_create(rows, **self.upsert)


class PreparedUpdate:
    def __init__(self, model: type[Model]) -> None:
        self.model = model

    def put(self, columns: Mapping[str, Any], **which: Any) -> None:
        self.model.objects.filter(**which).update(**columns)


def new_model[M: Model](model: type[M], **columns: Any) -> M:
    return model(**columns)
