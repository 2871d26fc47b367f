"""Reading functions back: the syntax tree of a function, with the line numbers of its file."""

import ast
import copy
import inspect
import re
import textwrap
import types
from functools import lru_cache
from typing import Any

from zermelo.errors import CompileError


def first_parameter(plain: Any) -> str:
    """The name of a function's first parameter: the `self` of a method."""
    return next(iter(inspect.signature(plain).parameters))


@lru_cache(maxsize=4096)
def source_tree(plain: Any) -> ast.FunctionDef:
    """The syntax tree of a function, with the line numbers of its file; read once, and to be copied before a change."""
    plain = inspect.unwrap(plain)
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


HARMLESS = {"cache", "cached_property", "classmethod", "kernel", "lru_cache", "override", "property", "staticmethod"}


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
    if code.co_freevars or code.co_cellvars or rewritten:
        return
    alone = copy.deepcopy(tree)
    alone.decorator_list = []
    made = compile(ast.fix_missing_locations(ast.Module([alone], [])), code.co_filename, "exec")
    found = next((c for c in made.co_consts if isinstance(c, types.CodeType)), None)
    if found is not None and _vocabulary(found) != _vocabulary(code):
        raise CompileError(f"{code.co_filename}: the file has changed since it was loaded: start again")


def _vocabulary(code: types.CodeType) -> Any:
    """What a function mentions. Its instructions may differ: the compiler looks at the imports around it."""
    plain = [repr(c) for c in code.co_consts if not isinstance(c, types.CodeType | str | None)]
    names = [re.sub(r"^_\w*?(?=__)", "", name) for name in (*code.co_names, *code.co_varnames)]
    return names, plain
