"""Reading functions back: the syntax tree of a function, with the line numbers of its file."""

import ast
import copy
import dis
import inspect
import re
import textwrap
import types
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from zermelo.errors import CompileError


def first_parameter(plain: Any) -> str:
    """The name of a function's first parameter: the `self` of a method."""
    return next(iter(inspect.signature(plain).parameters))


def place_of(kind: type, plain: Any) -> tuple[type, str]:
    """The class that holds a method, and the name that it has there."""
    for base in kind.__mro__:
        named = base.__dict__.get(plain.__name__)
        for name, own in ((plain.__name__, named), *base.__dict__.items()):
            if own is plain or (inspect.isfunction(own) and inspect.unwrap(own) is plain):
                return base, name
    return kind, plain.__name__


def copied(tree: Any) -> Any:
    """A copy of a syntax tree; `copy.deepcopy` takes several times as long."""
    if isinstance(tree, ast.AST):
        made = type(tree)()
        for name, value in vars(tree).items():
            setattr(made, name, copied(value) if isinstance(value, ast.AST | list) else value)
        return made
    return [copied(item) for item in tree] if isinstance(tree, list) else tree


def source_tree(plain: Any) -> ast.FunctionDef:
    """The syntax tree of a function, with the line numbers of its file; read once, and to be copied before a change."""
    plain = inspect.unwrap(plain)
    return _source_tree(plain, plain.__code__)


@lru_cache(maxsize=4096)
def _source_tree(plain: Any, code: types.CodeType) -> ast.FunctionDef:
    try:
        lines, first = inspect.getsourcelines(plain)
    except (OSError, TypeError):
        raise CompileError(
            f"the source of {getattr(plain, '__qualname__', plain)} cannot be read (typed at a prompt, or made by "
            'exec?): save it to a file, or use device="python"'
        ) from None
    text = textwrap.dedent("".join(lines))
    try:
        tree = ast.parse(text)
    except SyntaxError:
        tree = _parsed_part(text) if "lambda" in text else ast.parse("")
    ast.increment_lineno(tree, first - 1)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == plain.__name__:
            _refuse_stale(node, plain)
            _refuse_decorators(node, plain)
            return node
    lambdas = [node for node in ast.walk(tree) if isinstance(node, ast.Lambda)]
    if plain.__name__ == "<lambda>" and len(lambdas) == 1:
        body: list[ast.stmt] = [ast.copy_location(ast.Return(lambdas[0].body), lambdas[0])]
        made = ast.FunctionDef("lambda_", lambdas[0].args, body, [], None)
        return ast.copy_location(made, lambdas[0])
    raise CompileError(f"{plain.__name__}: write it as a function of its own (def ...), one that can be read back")


def _parsed_part(text: str) -> ast.Module:
    """The tree of a piece of source that is no statement: an item of a call, a list or a dict, with a lambda in it."""
    part = text.strip().rstrip(",")
    for whole in (f"({part})", f"f({part})", f"{{{part}}}", part.rstrip(")]}"), f"({part}"):
        try:
            return ast.parse(whole)
        except SyntaxError:
            continue
    return ast.parse("")


HARMLESS = {
    "cache",
    "cached_property",
    "classmethod",
    "inlined",
    "kernel",
    "lru_cache",
    "override",
    "property",
    "staticmethod",
    "told_as",
}


def _refuse_decorators(tree: ast.FunctionDef, plain: Any) -> None:
    """A decorator may change what a function does, and native code sees the function alone."""
    for decorator in tree.decorator_list:
        name = decorator.func if isinstance(decorator, ast.Call) else decorator
        word = name.attr if isinstance(name, ast.Attribute) else getattr(name, "id", "")
        if word not in HARMLESS:
            raise CompileError(
                f"{plain.__code__.co_filename}:{decorator.lineno}: the decorator @{ast.unparse(decorator)} cannot be "
                "compiled: write what it does into the function"
            )


def _refuse_stale(tree: ast.FunctionDef, plain: Any) -> None:
    """The file must still say what was loaded from it, or else native and plain code would differ."""
    code = plain.__code__
    rewritten = any(name.startswith("@py") for name in (*code.co_names, *code.co_varnames))  # pytest's assertions
    if code.co_freevars or rewritten:
        return
    alone = copy.copy(tree)
    alone.decorator_list = []
    made = compile(ast.fix_missing_locations(ast.Module([alone], [])), code.co_filename, "exec")
    found = next((c for c in made.co_consts if isinstance(c, types.CodeType)), None)
    if found is not None and list(_steps(found)) != list(_steps(code)):
        raise CompileError(f"{code.co_filename}: the file has changed since it was loaded: start again")


CALLING = {"PUSH_NULL", "PRECALL", "CACHE", "RESUME", "NOP", "EXTENDED_ARG", "KW_NAMES"}
"""Instructions that depend on the imports around a function: calls through modules are made in a way of their own."""


def _steps(code: types.CodeType) -> Iterator[Any]:
    """What a function does, step by step; where jumps lead to follows from the steps between."""
    for step in dis.get_instructions(code):
        if step.opname in CALLING:
            continue
        name = step.opname.replace("LOAD_METHOD", "LOAD_ATTR").replace("CALL_METHOD", "CALL")
        if isinstance(step.argval, types.CodeType):
            yield from _steps(step.argval)
        elif step.opcode in dis.hasjrel or step.opcode in dis.hasjabs:
            yield name
        elif isinstance(step.argval, str):
            # Names that begin with two underscores carry the name of their class.
            yield name, re.sub(r"^_\w*?(?=__)", "", step.argval)
        else:
            yield name, repr(step.argval)
