"""Mutants of the source, as mutmut makes them: one expression of a function replaced, left out or inverted."""

import ast
import codecs
import difflib
import functools
import importlib
import inspect
import random
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import CodeType, FunctionType

from libcst import CSTNode, Module
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation.file_mutation import create_mutations, deep_replace


class NotFound(Exception):
    """The function of a mutant cannot be found in the running program."""


@dataclass(frozen=True, eq=False)
class Mutant:
    """One change of a function: its lines, and the node of the module's tree that is replaced by another."""

    path: Path
    function: str
    lines: range
    module: Module
    old: CSTNode
    new: CSTNode

    @functools.cached_property
    def source(self):
        """The whole source of its module with the change."""
        return deep_replace(self.module, self.old, self.new).code

    def difference(self):
        """The changed lines, before and after, without context."""
        lines = difflib.unified_diff(undecorated(self.path).splitlines(), self.source.splitlines(), n=0, lineterm="")
        return [line for line in lines if not line.startswith(("---", "+++", "@@"))]

    @property
    def equal(self):
        """True if the module compiles to the same bytecode as without the change."""
        return _meaning(self.source) == _meaning(undecorated(self.path))

    def install(self):
        """Give the function of the running program the body of this mutant."""
        every = _codes(compile(self.source, str(self.path.resolve()), "exec"))
        code = [one for one in every if one.co_qualname == self.function]
        if len(code) != 1:
            raise NotFound(self.function)
        _function(self.path, self.function).__code__ = code[0]


def draw(paths, count, seed, skip=0):
    """A uniform random sample of the mutants of these files and folders, and the number of all of them.

    Mutants equal to the code are not drawn, nor are migrations, which nobody changes again. The first `skip` mutants
    of the sample are left to another process.
    """
    files = sorted({file for path in map(Path, paths) for file in (path.rglob("*.py") if path.is_dir() else [path])})
    every = [mutant for file in files if "migrations" not in file.parts for mutant in mutants_of(file)]
    mixed = random.Random(seed).sample(every, len(every))
    return list(islice((mutant for mutant in mixed if not mutant.equal), skip, skip + count)), len(every)


def mutants_of(path):
    module, mutations, _, _ = create_mutations(str(path), undecorated(path))
    positions = MetadataWrapper(module, unsafe_skip_copy=True).resolve(PositionProvider)
    functions = _spans(path)
    for mutation in mutations:
        span = positions[mutation.original_node]
        lines = range(span.start.line, span.end.line + 1)
        within = [name for name, body in functions.items() if lines.start in body and lines.stop - 1 in body]
        if within:  # otherwise it is a table of the module or a default value, which is read only once
            yield Mutant(path, within[0], lines, module, mutation.original_node, mutation.mutated_node)


def undecorated(path):
    """The source with blank lines for the decorators of functions: mutmut skips decorated ones."""
    lines = path.read_text().split("\n")
    for node in ast.walk(ast.parse("\n".join(lines))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for decorator in node.decorator_list:
                for number in range(decorator.lineno, decorator.end_lineno + 1):
                    lines[number - 1] = ""
    return "\n".join(lines)


def _spans(path):
    """The lines of the body of every function and method, by its name in the module."""
    spans = {}

    def visit(nodes, before):
        for node in nodes:
            if isinstance(node, ast.ClassDef):
                visit(node.body, f"{before}{node.name}.")
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                spans[before + node.name] = range(node.body[0].lineno, node.end_lineno + 1)

    visit(ast.parse(undecorated(path)).body, "")
    return spans


class _SameMeaning(ast.NodeTransformer):
    """Leaves out what makes no difference: the type in `cast(type, value)`, and the spelling of an encoding."""

    def visit_Call(self, node):
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "cast" and len(node.args) == 2:
            return node.args[1]
        for keyword in node.keywords:
            if keyword.arg == "encoding" and isinstance(keyword.value, ast.Constant) and keyword.value.value:
                with suppress(LookupError):
                    keyword.value = ast.Constant(codecs.lookup(keyword.value.value).name)
        return node


def _meaning(source):
    """The bytecode of a module with its names and constants, without line numbers."""

    def of(code):
        constants = [of(one) if isinstance(one, CodeType) else (type(one), one) for one in code.co_consts]
        names = code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars
        return code.co_name, code.co_code, code.co_exceptiontable, code.co_flags, names, constants

    return of(compile(ast.fix_missing_locations(_SameMeaning().visit(ast.parse(source))), "", "exec"))


def _codes(code):
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)


def _function(path, name):
    """The function itself, without its decorators."""
    found = importlib.import_module(".".join(path.with_suffix("").parts).removesuffix(".__init__"))
    for part in name.split("."):
        found = inspect.getattr_static(found, part)
    if isinstance(found, property):
        found = found.fget
    if isinstance(found, functools.cached_property):
        found = found.func
    found = inspect.unwrap(getattr(found, "__func__", found))
    if not isinstance(found, FunctionType):
        raise NotFound(name)
    return found
