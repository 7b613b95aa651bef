"""Queries whose SQL is built once and run many times.

Building the SQL of a query takes Django several times as long as the database takes to answer it, and every page about
a character runs the same few queries. So their SQL is built once per process, with placeholders for values.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import chain, count
from types import MappingProxyType
from typing import Any, ClassVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import BooleanField, CharField, Field, ForeignKey, IntegerField, Model, QuerySet, Value
from django.db.models.base import ModelState
from django.db.models.constants import OnConflict
from django.db.models.sql import DeleteQuery, InsertQuery, UpdateQuery

from rules.number_text import LARGEST

# Fields whose values go to the database unchanged.
AS_THEY_ARE = (BooleanField, CharField, ForeignKey, IntegerField)
# No row has these ids.
PLACEHOLDERS = (-7_001, -7_002)
NO_ROW = -1
PLACE = re.compile("(?<!%)%s")
# Text that is the same in the SQL of every database: no signs, no quotes, neither True nor False.
WORD = re.compile("[a-z0-9_]*")
# The columns of a row, each with its field if the value has to be converted for the database.
type Columns = list[tuple[str, Field | None]]
type Row = tuple[Any, ...]
type Params = dict[str, Any]  # by their names in the statement


def by_name(sql: str) -> tuple[str, list[str]]:
    """The statement with named instead of positional parameters, and the names.

    Without names, Django would scan the statement letter by letter each time it runs on SQLite.
    """
    numbers = count()
    named = PLACE.sub(lambda place: f"%(v{next(numbers)})s", sql)
    return named, [f"v{number}" for number in range(next(numbers))]


class Prepared:
    """A query for plain values. `build` makes it from the placeholders, which are values that no row has."""

    known: ClassVar[list["Prepared"]] = []

    def __init__(self, build: Callable[..., QuerySet], *placeholders: int | str) -> None:
        self.build = build
        self.placeholders = placeholders
        self.known.append(self)

    @cached_property
    def compiled(self) -> tuple[Any, ...]:
        """The statement and its parameters: values, and the placeholders that `rows` replaces."""
        return self.placed(*self.build(*self.placeholders).query.sql_with_params())

    def placed(self, sql: str, params: Sequence[Any]) -> tuple[str, Params]:
        """The statement with named parameters for the placeholders only. Other numbers and words become part of the
        SQL: of a hundred values in the query of every page, all but two are the same each time."""
        values, names = iter(params), dict[Any, str]()

        def place(_: re.Match[str]) -> str:
            value = next(values)
            if value not in self.placeholders and isinstance(value, int | str) and WORD.fullmatch(str(value)):
                return f"'{value}'" if isinstance(value, str) else str(value)
            return f"%({names.setdefault(value, f'v{len(names)}')})s"

        sql = PLACE.sub(place, sql)
        return sql, {name: value for value, name in names.items()}

    def rows(self, *values: int | str | None) -> list[Row]:
        """The rows for these values, which replace the placeholders in order. None, or a number too large for a
        database, counts as an id that no row has; Django leaves those out of its queries, too."""
        sql, params = self.compiled
        with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
            cursor.execute(sql, self.filled(params, values))
            return cursor.fetchall()

    def filled(self, params: Params, values: Iterable[int | str | None]) -> Params:
        given = {
            placeholder: NO_ROW if value is None or (isinstance(value, int) and abs(value) > LARGEST) else value
            for placeholder, value in zip(self.placeholders, values, strict=True)
        }
        return {name: given.get(param, param) for name, param in params.items()}


class PreparedObjects(Prepared):
    """The same for a query of objects, with those that `select_related` adds."""

    @cached_property
    def compiled(self) -> tuple[str, Params, list[tuple[int, Callable[..., Any], Any]], Callable[[list[Any]], Model]]:
        compiler = self.build(*self.placeholders).query.get_compiler(DEFAULT_DB_ALIAS)
        sql, params = compiler.as_sql()
        columns = [column for column, *_ in compiler.select]
        converters = [
            (place, convert, column)
            for place, (several, column) in compiler.get_converters(columns).items()
            for convert in several
        ]
        make = _maker(compiler.klass_info, columns, compiler.annotation_col_map)
        return *self.placed(sql, params), converters, make

    def first(self, *values: int | str | None) -> Model | None:
        """The first object for these values; None if there is none."""
        return next(self.each(*values), None)

    def all(self, *values: int | str | None) -> list[Model]:
        """The objects for these values, in the order of the query."""
        return list(self.each(*values))

    def each(self, *values: int | str | None) -> Iterator[Model]:
        """The objects one by one. All rows are read at once, but each object is made only when the caller gets to
        it."""
        sql, params, converters, make = self.compiled
        connection = connections[DEFAULT_DB_ALIAS]
        with connection.cursor() as cursor:
            cursor.execute(sql, self.filled(params, values))
            rows = cursor.fetchall()
        for one in rows:
            row = list(one)
            for place, convert, column in converters:
                row[place] = convert(row[place], column, connection)
            yield make(row)


def load_model[M: Model](model: type[M], names: Sequence[str], values: Sequence[Any]) -> M:
    """The object that `Model.from_db` makes, in a third of the time, without asking fields or sending signals."""
    made = object.__new__(model)
    made.__dict__.update(zip(names, values, strict=True), _state=ModelState())
    made._state.adding, made._state.db = False, DEFAULT_DB_ALIAS
    return made


def new_model[M: Model](model: type[M], **columns: Any) -> M:
    """The object that `model(**columns)` makes, in a third of the time.

    Columns have their names in the database; those left out have their defaults. A related row may be given as an
    object, by the name of its field.
    """
    made = object.__new__(model)
    values = made.__dict__
    values["_state"] = ModelState()
    for name, default in _defaults(model):  # type: ignore[arg-type]  # a class can be hashed
        values[name] = columns.pop(name) if name in columns else default()
    for name, other in columns.items():
        field = model._meta.get_field(name)
        values[field.attname] = None if other is None else other.pk
        field.set_cached_value(made, other)
        if field.one_to_one and other is not None:
            field.remote_field.set_cached_value(other, made)
    return made


@cache
def _defaults(model: type[Model]) -> list[tuple[str, Callable[[], Any]]]:
    return [(field.attname, field.get_default) for field in model._meta.concrete_fields]


def _maker(
    info: Mapping[str, Any], columns: Sequence[Any], annotations: Mapping[str, int] = MappingProxyType({})
) -> Callable[[list[Any]], Model | None]:
    """A function that makes an object from its part of a row. annotations: name -> its place in the row."""
    model, places = info["model"], info["select_fields"]
    names = [columns[place].target.attname for place in places]
    key = places[names.index(model._meta.pk.attname)]
    part = slice(places[0], places[-1] + 1)
    related = [
        (one["local_setter"], one["remote_setter"], _maker(one, columns)) for one in info.get("related_klass_infos", ())
    ]

    def make(row: list[Any]) -> Model | None:
        if row[key] is None:
            return None
        made = load_model(model, names, row[part])
        for name, place in annotations.items():
            setattr(made, name, row[place])
        for put, put_back, make_related in related:
            other = make_related(row)
            put(made, other)
            if other is not None:
                put_back(other, made)
        return made

    return make


class PreparedDelete(Prepared):
    """Deletes the rows that `build` finds. It does not look for rows that refer to them, so there must be none."""

    @cached_property
    def compiled(self) -> tuple[str, Params]:
        query = self.build(*self.placeholders).query.chain(DeleteQuery)
        return self.placed(*query.get_compiler(DEFAULT_DB_ALIAS).as_sql())

    def run(self, *values: int | str | None) -> None:
        sql, params = self.compiled
        with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
            cursor.execute(sql, self.filled(params, values))


class PreparedInsert:
    """Inserts rows of a model. If one with the same `unique` fields is there already, its `update` fields are set.

    Rows without an id get one. The SQL is built once for each number of rows.
    """

    def __init__(self, model: type[Model], *, unique: tuple[str, ...] = (), update: tuple[str, ...] = ()) -> None:
        self.model = model
        self.unique = unique
        self.update = update
        self.compiled: dict[tuple[int, bool], tuple[str, list[str], Columns, bool]] = {}

    def compile(self, many: int, with_ids: bool) -> tuple[str, list[str], Columns, bool]:
        """The statement, the columns of a row, and True if values are passed by column, as PostgreSQL takes several
        rows."""
        meta = self.model._meta
        fields = [field for field in meta.concrete_fields if with_ids or field is not meta.pk]
        query = InsertQuery(
            self.model,
            on_conflict=OnConflict.UPDATE if self.unique else None,
            unique_fields=[meta.get_field(name) for name in self.unique],
            update_fields=[meta.get_field(name) for name in self.update],
        )
        query.insert_values(fields, [self.model() for _ in range(many)])
        compiler = query.get_compiler(DEFAULT_DB_ALIAS)
        compiler.returning_fields = [meta.pk]
        ((sql, params),) = compiler.as_sql()
        columns = [(field.attname, None if isinstance(field, AS_THEY_ARE) else field) for field in fields]
        return *by_name(sql), columns, len(params) != many * len(fields)

    def put(self, *rows: Model) -> None:
        """Insert these rows, which must all have ids, or all lack them."""
        key = len(rows), rows[0].pk is not None
        if key not in self.compiled:
            self.compiled[key] = self.compile(*key)
        sql, names, columns, by_column = self.compiled[key]
        connection = connections[DEFAULT_DB_ALIAS]
        values = [
            [
                getattr(row, name) if field is None else field.get_db_prep_save(field.pre_save(row, True), connection)
                for name, field in columns
            ]
            for row in rows
        ]
        params = map(list, zip(*values, strict=True)) if by_column else chain.from_iterable(values)
        with connection.cursor() as cursor:
            cursor.execute(sql, dict(zip(names, params, strict=True)))
            found = cursor.fetchall()
        for row, (pk,) in zip(rows, found, strict=True):
            row.pk = pk
            row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS


class PreparedUpdate:
    """Sets columns of the rows that `which` finds. The SQL is built once for each set of columns."""

    def __init__(self, model: type[Model]) -> None:
        self.model = model
        self.compiled: dict[tuple[str, ...], tuple[str, list[str], list[Field]]] = {}

    def put(self, columns: Mapping[str, Any], **which: Any) -> None:
        names = (*columns, "where", *which)
        if names not in self.compiled:
            self.compiled[names] = self.compile(columns, which)
        sql, places, fields = self.compiled[names]
        given = {**columns, **which}
        connection = connections[DEFAULT_DB_ALIAS]
        values = [field.get_db_prep_save(given[field.name], connection) for field in fields]
        with connection.cursor() as cursor:
            cursor.execute(sql, dict(zip(places, values, strict=True)))

    def compile(self, columns: Collection[str], which: Mapping[str, Any]) -> tuple[str, list[str], list[Field]]:
        query = self.model.objects.filter(**which).query.chain(UpdateQuery)
        # NULL cannot be a placeholder: it would become part of the SQL.
        query.add_update_values({name: Value(0) for name in columns})
        sql, _ = query.get_compiler(DEFAULT_DB_ALIAS).as_sql()
        # Django sorts the arguments of a filter.
        return *by_name(sql), [self.model._meta.get_field(name) for name in (*columns, *sorted(which))]
