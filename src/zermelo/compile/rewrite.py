"""Writes the native form of one function: the syntax tree of the plain one with everything known filled in.

See `specialize` for what is done and why; this module is the tree walker that does it.
"""

import ast
import builtins
import copy
import inspect
import textwrap
import types
from typing import Any

from zermelo import bits
from zermelo.compile.loops import EXTRA, FRAMES, STEPS, Generator, Put, assigned_names, statements
from zermelo.compile.table import Table
from zermelo.contract import Game
from zermelo.errors import CompileError

MISSING = object()
STATE_MAKERS = {"initial", "result", "transform", "state_at", "null", "sample"}


class Forward:
    """Stands for a compiled function while it is still being written, so that functions may call themselves."""

    def __init__(self) -> None:
        self.target: Any = None
        self.users: list[tuple[dict[str, Any], str]] = []

    def settle(self, target: Any) -> None:
        """Put the finished function into every namespace that mentions it."""
        self.target = target
        for space, name in self.users:
            space[name] = target


def first_parameter(plain: Any) -> str:
    """The name of a function's first parameter: the `self` of a method."""
    return next(iter(inspect.signature(plain).parameters))


def source_tree(plain: Any) -> ast.FunctionDef:
    """The syntax tree of a function, with the line numbers of its file."""
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
        tree = ast.parse("(" + text.strip().rstrip(",") + ")") if "lambda" in text else ast.parse("")
    ast.increment_lineno(tree, first - 1)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == plain.__name__:
            _refuse_stale(node, plain)
            return node
    lambdas = [node for node in ast.walk(tree) if isinstance(node, ast.Lambda)]
    if plain.__name__ == "<lambda>" and len(lambdas) == 1:
        body: list[ast.stmt] = [ast.copy_location(ast.Return(lambdas[0].body), lambdas[0])]
        made = ast.FunctionDef("lambda_", lambdas[0].args, body, [], None)
        return ast.copy_location(made, lambdas[0])
    raise CompileError(f"{plain.__name__}: write it as a function of its own (def ...), one that can be read back")


def _refuse_stale(tree: ast.FunctionDef, plain: Any) -> None:
    """The file must still say what was loaded from it, or else native and plain code would differ."""
    code = plain.__code__
    if code.co_freevars or code.co_cellvars:
        return
    alone = copy.deepcopy(tree)
    alone.decorator_list = []
    made = compile(ast.fix_missing_locations(ast.Module([alone], [])), code.co_filename, "exec")
    found = next((c for c in made.co_consts if isinstance(c, types.CodeType)), None)
    if found is not None and _vocabulary(found) != _vocabulary(code):
        raise CompileError(f"{code.co_filename}: the file has changed since it was loaded: start again")


def _vocabulary(code: types.CodeType) -> Any:
    """What a function mentions. Its instructions may differ: the compiler looks at the imports around it."""
    plain = [repr(c) for c in code.co_consts if not isinstance(c, types.CodeType)]
    return code.co_names, code.co_varnames, plain


class Writer(ast.NodeTransformer):
    """Writes one specialized function."""

    def __init__(self, room: Any, plain: Any, constants: dict[str, Any], mode: str) -> None:
        self.room, self.mode = room, mode
        self.plain = inspect.unwrap(plain)
        self.constants = constants
        self.tree = copy.deepcopy(source_tree(self.plain))
        self.file = self.plain.__code__.co_filename
        self.closure = inspect.getclosurevars(self.plain) if self.plain.__closure__ else None
        self.space: dict[str, Any] = {"__builtins__": builtins, "__name__": self.plain.__module__}
        self.names = 0
        self.locals = assigned_names(self.tree)
        self.game = next((v for v in constants.values() if isinstance(v, Game)), None)
        self.is_method = self.game is not None and first_parameter(self.plain) in constants

    # --- the whole function ----------------------------------------------------------------------------------------

    def write(self) -> Any:
        tree = self.tree
        tree.decorator_list, tree.returns = [], None
        self._refuse_unusual_parameters(tree)
        tree.args.args = [a for a in tree.args.args if a.arg not in self.constants]
        tree.args.defaults = []
        tree.args.kwonlyargs, tree.args.kw_defaults = [], []
        for argument in tree.args.args:
            argument.annotation = None
        if tree.body and isinstance(tree.body[0], ast.Expr) and isinstance(tree.body[0].value, ast.Constant):
            tree.body = tree.body[1:] or [ast.Pass()]
        if self.mode != "call":
            self._make_generator(tree)
        elif any(isinstance(n, ast.Yield | ast.YieldFrom) for n in ast.walk(tree)):
            self.refuse(tree, f"{tree.name} is a generator; native code calls only `actions` that way")
        tree.body = self._block(tree.body)
        tree.name = f"{tree.name}_{self.mode}" if self.mode != "call" else tree.name
        module = ast.fix_missing_locations(ast.Module([tree], []))
        exec(compile(module, self.file, "exec"), self.space)
        made = self.space[tree.name]
        made.__qualname__ = self.plain.__qualname__
        return made

    def _refuse_unusual_parameters(self, tree: ast.FunctionDef) -> None:
        if tree.args.vararg or tree.args.kwarg:
            self.refuse(tree, f"{tree.name}: *args and **kwargs cannot be compiled; name the parameters")
        tree.args.args += tree.args.kwonlyargs

    def _block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for statement in statements:
            made = self.visit(statement)
            if made is None:
                continue
            out += made if isinstance(made, list) else [made]
        return out or [ast.Pass()]

    def refuse(self, node: ast.AST, message: str) -> Any:
        raise CompileError(f"{self.file}:{getattr(node, 'lineno', 0)}: {message}")

    # --- generators ------------------------------------------------------------------------------------------------

    def _make_generator(self, tree: ast.FunctionDef) -> None:
        limit = self.game.max_actions if self.game is not None else 0
        tree.body = Generator(self, self.mode, limit).rewrite(tree)
        tree.args.args += [ast.arg(name) for name in EXTRA[self.mode]]
        self.locals |= assigned_names(tree)

    def generator_method(self, func: ast.expr, mode: str) -> ast.Name | None:
        """The compiled form of `self.other`, where that is a generator method of the game."""
        known = self.static(func)
        plain = known.__func__ if isinstance(known, types.MethodType) and isinstance(known.__self__, Game) else None
        if isinstance(func, ast.Attribute) and self._is_super(func.value):
            plain = getattr(self._base_with(func), func.attr)
        if plain is None or not inspect.isgeneratorfunction(plain):
            return None
        return self.bind(self.room.function(plain, {first_parameter(plain): self.game}, mode), mode)

    def _is_super(self, node: ast.expr) -> bool:
        return self.game is not None and isinstance(node, ast.Call) and self.static(node.func) is super

    def _base_with(self, func: ast.Attribute) -> type:
        """The class above the one of this method that has the method asked for by `super()`."""
        line = type(self.game).__mro__
        owner = _owner(type(self.game), self.plain)
        for base in line[line.index(owner) + 1 :]:
            if func.attr in base.__dict__:
                return base
        return self.refuse(func, f"no class above {owner.__name__} has {func.attr}")

    # --- names and constants ---------------------------------------------------------------------------------------

    def static(self, node: ast.AST) -> Any:
        """What an expression is before the program runs, or MISSING."""
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            return self._static_name(node.id)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            owner = self.static(node.value)
            if isinstance(owner, types.ModuleType | type | Game):
                return getattr(owner, node.attr, MISSING)
        return MISSING

    def _static_name(self, name: str) -> Any:
        if name in self.constants:
            return self.constants[name]
        if name in self.locals:
            return MISSING
        if self.closure is not None:
            for scope in (self.closure.nonlocals,):
                if name in scope:
                    return scope[name]
        if name in self.plain.__globals__:
            return self.plain.__globals__[name]
        return getattr(builtins, name, MISSING)

    def bind(self, value: Any, hint: str) -> ast.Name:
        """A name for a value in the new function's globals."""
        for name, known in self.space.items():
            if known is value and name.startswith(f"{hint}_"):
                return ast.Name(name, ast.Load())
        self.names += 1
        name = f"{hint}_{self.names}"
        self.space[name] = value
        if isinstance(value, Forward):
            value.users.append((self.space, name))
        return ast.Name(name, ast.Load())

    def constant(self, value: Any, node: ast.AST) -> Any:
        """The expression for a value that is known now."""
        if isinstance(value, bits.u64):
            return self._unsigned(int(value))
        if value is None or isinstance(value, bool | float | str):
            return ast.Constant(value)
        if isinstance(value, int):
            value = int(value)
            return ast.Constant(value) if -(1 << 63) <= value < 1 << 63 else self._large(value, node)
        if isinstance(value, tuple | list):
            if hasattr(value, "_fields"):
                maker = self.bind(self.room.maker(type(value)), type(value).__name__)
                return ast.Call(maker, [self.constant(v, node) for v in value], [])
            if all(isinstance(v, int) and not isinstance(v, bits.u64) for v in value) and len(value) > 1:
                return self.bind(tuple(int(v) for v in value), "tuple")
            return ast.Tuple([self.constant(v, node) for v in value], ast.Load())
        if type(value).__module__ == "numpy":
            if getattr(value, "ndim", 0):
                self.refuse(node, f"{_text(node)} is an array: declare it with zermelo.table(...), for every machine")
            return self.constant(value.item(), node)
        if isinstance(value, dict | set | frozenset):
            self.refuse(node, f"{_text(node)} is a {type(value).__name__}: use zermelo.table(...) or a tuple")
        return self.bind(value, "value")

    def _unsigned(self, value: int) -> ast.Call:
        signed = value - (1 << 64) if value >> 63 else value
        return ast.Call(self.bind(self.room.intrinsics.as_u64, "as_u64"), [ast.Constant(signed)], [])

    def _large(self, value: int, node: ast.AST) -> ast.Call:
        if not 0 <= value < 1 << 64:
            self.refuse(node, f"{value} does not fit into 64 bits")
        return self._unsigned(value)

    # --- expressions -----------------------------------------------------------------------------------------------

    def visit_Constant(self, node: ast.Constant) -> Any:
        return self.constant(node.value, node) if isinstance(node.value, int | float) else node

    def visit_Name(self, node: ast.Name) -> Any:
        return self._known(node) if isinstance(node.ctx, ast.Load) else node

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        if isinstance(node.ctx, ast.Load) and self.static(node) is not MISSING:
            return self._known(node)
        owner = self.static(node.value)
        if isinstance(owner, Game):
            self.refuse(node, f"{owner.name} has no {node.attr}")
        return self.generic_visit(node)

    def _known(self, node: Any) -> Any:
        value = self.static(node)
        if value is MISSING:
            return node
        if isinstance(node, ast.Name) and getattr(builtins, node.id, MISSING) is value:
            return node
        if isinstance(value, Game):
            self.refuse(node, f"{_text(node)}: a game can only be asked for its methods and parameters, or passed on")
        if isinstance(value, Table):
            return self.refuse(node, f"{_text(node)}: a table can only be indexed or passed on as a parameter")
        if value in self.room.native if _hashable(value) else False:
            return self.bind(self.room.native[value], "native")
        if isinstance(value, types.FunctionType):
            return self.bind(self.room.function(value, {}), value.__name__)
        if isinstance(value, types.ModuleType):
            return self.bind(value, "module")
        return ast.copy_location(self.constant(value, node), node)

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        value = self.static(node.value)
        if isinstance(value, Table):
            return self._table_load(node, value)
        if isinstance(value, tuple | list) and isinstance(node.ctx, ast.Load):
            index = self.static(self.visit(copy.deepcopy(node.slice)))
            if isinstance(index, int) and -len(value) <= index < len(value):
                return ast.copy_location(self.constant(value[index], node), node)
        return self.generic_visit(node)

    def _table_load(self, node: ast.Subscript, table: Table) -> Any:
        indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if len(indices) != len(table.shape):
            self.refuse(node, f"{_text(node)}: this table has {len(table.shape)} dimensions; give as many indices")
        flat: Any = self.visit(indices[0])
        for size, index in zip(table.shape[1:], indices[1:], strict=True):
            flat = ast.BinOp(ast.BinOp(flat, ast.Mult(), ast.Constant(size)), ast.Add(), self.visit(index))
        self.room.tables[table.digest] = table
        getter = self.room.made.setdefault(("table", table.digest), self.room.intrinsics.table_getter(table))
        as_int = self.bind(self.room.intrinsics.as_int, "as_int")
        return ast.Call(self.bind(getter, "table"), [ast.Call(as_int, [flat], [])], [])

    def visit_Call(self, node: ast.Call) -> Any:
        if isinstance(node.func, ast.Attribute):
            made = self._method_call(node, node.func)
            if made is not None:
                return ast.copy_location(made, node)
        callee = self.static(node.func)
        if callee is MISSING:
            return self.generic_visit(node)
        if callee is None:
            self.refuse(node, f"{_text(node.func)} is not defined by this game")
        if callee in (hasattr, getattr, isinstance) and (folded := self._fold_query(node, callee)) is not None:
            return folded
        if callee is len and node.args and isinstance(known := self.static(node.args[0]), Table | tuple | list):
            return ast.Constant(len(known))
        if callee in (any, all, sum, min, max, tuple) and node.args:
            if isinstance(node.args[0], ast.GeneratorExp | ast.ListComp):
                return self._reduce(node, callee.__name__)
        if _hashable(callee) and callee in self.room.native:
            return self._plain_call(node, self.bind(self.room.native[callee], "native"))
        if isinstance(callee, type) and issubclass(callee, tuple) and hasattr(callee, "_fields"):
            return self._construct(node, callee)
        if isinstance(callee, types.MethodType) and isinstance(callee.__self__, Game):
            return self._game_call(node, callee.__self__, type(callee.__self__), callee.__name__)
        if isinstance(callee, types.FunctionType):
            return self._function_call(node, callee)
        if isinstance(node.func, ast.Name) and getattr(builtins, node.func.id, MISSING) is callee:
            return self._plain_call(node, node.func)
        return self.generic_visit(node)

    def _method_call(self, node: ast.Call, func: ast.Attribute) -> Any:
        if self.game is not None and self._is_super(func.value):
            return self._game_call(node, self.game, self._base_with(func), func.attr)
        if func.attr == "_replace":
            return self._replace_fields(node, func)
        if func.attr == "bit_count" and not node.args:
            return ast.Call(self.bind(self.room.intrinsics.popcount, "popcount"), [self.visit(func.value)], [])
        owner_value = self.static(func.value)
        if isinstance(owner_value, Game) and func.attr in ("action_count", "nth_action"):
            mode = "count" if func.attr == "action_count" else "nth"
            made = self.room.generator(owner_value, mode)
            return self._plain_call(node, self.bind(made, mode))
        return None

    def _game_call(self, node: ast.Call, game: Game, start: type, name: str) -> Any:
        plain = inspect.getattr_static(start, name)
        if start is type(game):
            made = self.room.method(game, name)
        else:
            made = self.room.function(plain, {first_parameter(plain): game})
        parameters = list(inspect.signature(plain).parameters.values())
        if not isinstance(plain, staticmethod):
            parameters = parameters[1:]
        arguments = self._ordered(node, parameters, name)
        return ast.Call(self.bind(made, name), [self._passed(a) for a in arguments], [])

    def _passed(self, argument: ast.expr) -> Any:
        """An argument at run time. Numba types a literal apart from other integers, which breaks recursion."""
        made = self.visit(argument)
        if isinstance(made, ast.Constant) and isinstance(made.value, int) and not isinstance(made.value, bool):
            return ast.Call(self._intrinsic("as_int"), [made], [])
        return made

    def _function_call(self, node: ast.Call, callee: Any) -> Any:
        """A call of another function: arguments that are constants by name move into it, the others stay."""
        parameters = list(inspect.signature(callee).parameters.values())
        arguments = self._ordered(node, parameters, callee.__name__)
        constants, runtime = {}, []
        for parameter, argument in zip(parameters, arguments, strict=True):
            known = self.static(argument)
            if known is not MISSING and self._moves_in(known):
                constants[parameter.name] = known
            else:
                runtime.append(self._passed(argument))
        made = self.room.function(callee, constants)
        return ast.copy_location(ast.Call(self.bind(made, callee.__name__), runtime, []), node)

    def _moves_in(self, known: Any) -> bool:
        kinds = Game | Table | types.FunctionType | types.ModuleType | bool | str | type
        return known is None or isinstance(known, kinds)

    def _ordered(self, node: ast.Call, parameters: list[inspect.Parameter], name: str) -> list[ast.expr]:
        """The arguments in the order of the parameters, keywords and defaults filled in."""
        if any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords):
            self.refuse(node, f"{name}: pass the arguments one by one, not with * or **")
        given = dict(zip((p.name for p in parameters), node.args, strict=False))
        given.update({k.arg: k.value for k in node.keywords if k.arg is not None})
        out = []
        for parameter in parameters:
            if parameter.name in given:
                out.append(given[parameter.name])
            elif parameter.default is not inspect.Parameter.empty:
                out.append(ast.copy_location(self.constant(parameter.default, node), node))
            else:
                self.refuse(node, f"{name} needs {parameter.name}")
        if len(node.args) + len(node.keywords) > len(parameters):
            self.refuse(node, f"{name} takes {len(parameters)} arguments")
        return out

    def _plain_call(self, node: ast.Call, func: ast.expr) -> Any:
        arguments = [self.visit(a) for a in node.args]
        keywords = [ast.keyword(k.arg, self.visit(k.value)) for k in node.keywords]
        return ast.copy_location(ast.Call(func, arguments, keywords), node)

    def _construct(self, node: ast.Call, kind: Any) -> Any:
        if self.game is not None and _is_state_class(kind, self.game):
            self.room.adopt(self.game)
        if self.room.layout_of(kind) is None:
            return self._plain_call(node, self.bind(kind, kind.__name__))
        parameters = [
            inspect.Parameter(
                n,
                inspect.Parameter.POSITIONAL_OR_KEYWORD,
                default=kind._field_defaults.get(n, inspect.Parameter.empty),
            )
            for n in kind._fields
        ]
        arguments = self._ordered(node, parameters, kind.__name__)
        return ast.Call(self.bind(self.room.maker(kind), kind.__name__), [self.visit(a) for a in arguments], [])

    def _replace_fields(self, node: ast.Call, func: ast.Attribute) -> Any:
        """`s._replace(a=1)` of a game's state: the constructor with the other fields read off `s`."""
        kind = None
        wanted = {k.arg for k in node.keywords}
        candidates = [k for k in self._known_tuples() if wanted <= set(k._fields)]
        if len(candidates) == 1:
            kind = candidates[0]
        if kind is None or not isinstance(func.value, ast.Name):
            self.refuse(node, "_replace: build a new State(...) instead, with every field")
        given = {k.arg: k.value for k in node.keywords}
        arguments: list[Any] = []
        for name in kind._fields:  # type: ignore[union-attr]
            arguments.append(given[name] if name in given else ast.Attribute(func.value, name, ast.Load()))
        return self._construct(ast.copy_location(ast.Call(func.value, arguments, []), node), kind)

    def _known_tuples(self) -> list[Any]:
        if self.game is not None:
            self.room.adopt(self.game)
        return [kind for kind, whole in self.room.layouts.items() if whole is not None]

    def _fold_query(self, node: ast.Call, callee: Any) -> Any:
        values = [self.static(a) for a in node.args]
        if MISSING in values or not values or not isinstance(values[0], Game | types.ModuleType | type):
            return None
        if callee is getattr:
            return self.constant(getattr(*values), node)
        if callee is hasattr:
            return ast.Constant(getattr(values[0], str(values[1]), None) is not None)
        return ast.Constant(isinstance(*values))

    def _reduce(self, node: ast.Call, name: str) -> Any:
        """`any(f(x) for x in ...)` as a function of its own with a loop; its free variables are its parameters."""
        comprehension: Any = node.args[0]
        inner = assigned_names(comprehension)
        free = sorted(
            {
                n.id
                for n in ast.walk(comprehension)
                if isinstance(n, ast.Name) and n.id not in inner and self._static_name(n.id) is MISSING
            }
        )
        if len(node.args) + len(node.keywords) > 1 and name != "sum":
            self.refuse(node, f"{name} of a generator with further arguments: write the loop out")
        start = self.visit(node.args[1]) if len(node.args) > 1 else ast.Constant(0)
        before = self.locals
        self.locals = self.locals | inner
        body = self._tuple_body(node, comprehension) if name == "tuple" else self._loop_body(name, comprehension, start)
        self.locals = before
        arguments = ast.arguments([], [ast.arg(n) for n in free], None, [], [], None, [])
        made = ast.copy_location(ast.FunctionDef(f"{name}_of", arguments, body, [], None), node)
        module = ast.fix_missing_locations(ast.Module([made], []))
        exec(compile(module, self.file, "exec"), self.space)
        compiled = self.room.jit(self.space.pop(f"{name}_of"))
        call = ast.Call(self.bind(compiled, f"{name}_of"), [ast.Name(n, ast.Load()) for n in free], [])
        return ast.copy_location(call, node)

    def _loop_body(self, name: str, comprehension: Any, start: ast.expr) -> list[ast.stmt]:
        body = STEPS[name](self.visit(comprehension.elt))
        for clause in reversed(comprehension.generators):
            for condition in reversed(clause.ifs):
                body = [ast.If(self.visit(condition), body, [])]
            loop = self._loop(ast.For(clause.target, clause.iter, body, []), visited=True)
            body = loop if isinstance(loop, list) else [loop]
        before, after = FRAMES[name](start)
        return [*before, *body, *after]

    def _tuple_body(self, node: ast.Call, comprehension: Any) -> list[ast.stmt]:
        """`tuple(f(x) for x in t)` of a tuple `t`, or of `enumerate(t)`: `t` with one item after the other replaced."""
        (clause, *more) = comprehension.generators
        source, index = clause.iter, None
        loop = self.static(source.func) if isinstance(source, ast.Call) else None
        if loop is range:
            return self._counted_tuple(node, comprehension)
        if loop is enumerate and isinstance(clause.target, ast.Tuple):
            source, (index, target) = source.args[0], clause.target.elts
        else:
            target = clause.target
        if more or clause.ifs:
            self.refuse(node, "tuple(...) of a generator with a condition has no fixed length: write the items out")
        body = statements(
            "from_ = source_\nmade_ = from_\nfor i_ in range(len(from_)):\n    made_ = put_(made_, i_, element_)\n"
            "return made_",
            source_=self.visit(source),
            put_=self._intrinsic("replace"),
            element_=self.visit(comprehension.elt),
        )
        steps: list[ast.stmt] = [ast.Assign([target], ast.parse("from_[i_]", mode="eval").body)]
        if index is not None:
            steps.append(ast.Assign([index], ast.Name("i_", ast.Load())))
        body[2].body = [*steps, *body[2].body]  # type: ignore[attr-defined]
        return body

    def _counted_tuple(self, node: ast.Call, comprehension: Any) -> list[ast.stmt]:
        """`tuple(f(i) for i in range(n))` with a constant `n`: the items one by one."""
        clause = comprehension.generators[0]
        bounds = [self.static(self.visit(copy.deepcopy(a))) for a in clause.iter.args]
        if len(comprehension.generators) > 1 or clause.ifs or not all(isinstance(b, int) for b in bounds):
            self.refuse(node, "tuple(...) of a range: native code wants a constant length and no condition")
        items = []
        for i in range(*bounds):
            put = Put({clause.target.id: ast.Constant(i)})
            items.append(self.visit(put.visit(copy.deepcopy(comprehension.elt))))
        return [ast.Return(ast.Tuple(items, ast.Load()))]

    # --- folding ---------------------------------------------------------------------------------------------------

    def visit_Compare(self, node: ast.Compare) -> Any:
        if len(node.ops) == 1 and isinstance(node.ops[0], ast.Is | ast.IsNot):
            left, right = self.static(node.left), self.static(node.comparators[0])
            if right is None and left is not MISSING:
                return ast.Constant((left is None) == isinstance(node.ops[0], ast.Is))
        node = self.generic_visit(node)  # type: ignore[assignment]
        parts = [node.left, *node.comparators]
        if all(isinstance(p, ast.Constant) for p in parts):
            return ast.Constant(bool(eval(compile(ast.Expression(ast.fix_missing_locations(node)), "", "eval"))))
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        node = self.generic_visit(node)  # type: ignore[assignment]
        if isinstance(node.op, ast.Not) and isinstance(node.operand, ast.Constant):
            return ast.Constant(not node.operand.value)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        decides = isinstance(node.op, ast.Or)
        kept: list[Any] = []
        for value in node.values:
            made = self.visit(value)
            if isinstance(made, ast.Constant) and isinstance(made.value, bool | type(None)):
                if bool(made.value) == decides:
                    kept.append(made)
                    break
                continue
            kept.append(made)
        if not kept:
            return ast.copy_location(ast.Constant(not decides), node)
        if len(kept) == 1:
            return kept[0]
        return ast.copy_location(ast.BoolOp(node.op, kept), node)

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        test = self.visit(node.test)
        if isinstance(test, ast.Constant):
            return self.visit(node.body if test.value else node.orelse)
        return ast.copy_location(ast.IfExp(test, self.visit(node.body), self.visit(node.orelse)), node)

    # --- statements ------------------------------------------------------------------------------------------------

    def visit_If(self, node: ast.If) -> Any:
        test = self.visit(node.test)
        if isinstance(test, ast.Constant):
            taken = node.body if test.value else node.orelse
            return self._block(taken) if taken else None
        orelse = self._block(node.orelse) if node.orelse else []
        return ast.copy_location(ast.If(test, self._block(node.body), orelse), node)

    def visit_While(self, node: ast.While) -> Any:
        test = self.visit(node.test)
        if isinstance(test, ast.Constant) and not test.value:
            return self._block(node.orelse) if node.orelse else None
        orelse = self._block(node.orelse) if node.orelse else []
        return ast.copy_location(ast.While(test, self._block(node.body), orelse), node)

    def visit_For(self, node: ast.For) -> Any:
        return self._loop(node)

    def _loop(self, node: ast.For, visited: bool = False) -> Any:
        body = node.body if visited else self._block(node.body)
        orelse = self._block(node.orelse) if node.orelse else []
        if isinstance(node.iter, ast.Call) and self.static(node.iter.func) is bits.each:
            return self._loop_over_bits(node, body, orelse)
        return ast.copy_location(ast.For(node.target, self.visit(node.iter), body, orelse), node)

    def _loop_over_bits(self, node: ast.For, body: list[ast.stmt], orelse: list[ast.stmt]) -> Any:
        """`for i in each(x)`: take the lowest bit off until none is left."""
        self.names += 1
        rest = f"bits_{self.names}"
        of = self.visit(node.iter.args[0])  # type: ignore[attr-defined]
        start = ast.Assign([ast.Name(rest, ast.Store())], ast.Call(self._intrinsic("as_u64"), [of], []))
        lowest = ast.Call(self._intrinsic("lowest"), [ast.Name(rest, ast.Load())], [])
        others = ast.Call(self._intrinsic("without_lowest"), [ast.Name(rest, ast.Load())], [])
        step: list[ast.stmt] = [
            ast.Assign([node.target], lowest),
            ast.Assign([ast.Name(rest, ast.Store())], others),
        ]
        test = ast.Compare(ast.Name(rest, ast.Load()), [ast.NotEq()], [self._unsigned(0)])
        loop = ast.While(test, [*step, *body], orelse)
        return [ast.copy_location(start, node), ast.copy_location(loop, node)]

    def _intrinsic(self, name: str) -> ast.Name:
        return self.bind(getattr(self.room.intrinsics, name), name)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        if node.value is None:
            return None
        return ast.copy_location(ast.Assign([node.target], self.visit(node.value)), node)

    def visit_Assert(self, node: ast.Assert) -> Any:
        return None

    def visit_Expr(self, node: ast.Expr) -> Any:
        if isinstance(node.value, ast.Constant):
            return None
        return self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> Any:
        if node.value is None:
            return node
        value = self.visit(node.value)
        if self.is_method and self.mode == "call" and self.plain.__name__ in STATE_MAKERS and self.game is not None:
            value = ast.Call(self.bind(self.room.state_cast(self.game), "as_state"), [value], [])
        return ast.copy_location(ast.Return(value), node)

    def visit_Import(self, node: ast.Import | ast.ImportFrom) -> Any:
        return self.refuse(node, "imports belong to the top of the file")

    def visit_ImportFrom(self, node: ast.ImportFrom) -> Any:
        return self.visit_Import(node)

    def visit_Try(self, node: ast.Try) -> Any:
        return self.refuse(node, "try has no place in rules that run natively: test the condition first")

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        return self.refuse(node, f"move {node.name} out of the method: a function inside cannot be compiled")

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        return self.refuse(node, "write the lambda as a function at module level")


def _text(node: ast.AST) -> str:
    return ast.unparse(node)


def _hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _owner(kind: type, plain: Any) -> type:
    """The class in whose body a method was written."""
    for base in kind.__mro__:
        if base.__dict__.get(plain.__name__) is plain:
            return base
    return kind


def _is_state_class(kind: type, game: Game) -> bool:
    return kind is getattr(game, "State", None)
