"""Evaluates the expression of a checked number, such as `softmax([1, 2, 3])[2]`.

Expressions come from contributors, so nothing here runs Python. The text is parsed, and the
tree is walked by a grammar that knows literals, lists, calls from the table in `functions`,
indexing by literals, `+ - * / **` and `data["NAME"]`; all else is refused by name.

What an expression can cost is bounded by sizes, not by a clock, so that it holds in every
thread and on every system. It has at most MAX_PARTS parts, hence as many operations, and
MAX_CALLS calls. No list or array that enters an operation holds more than MAX_ELEMENTS numbers,
no integer grows beyond MAX_BITS bits, and no function of the lesson gets a lone number (d_k, a
number of keys, a gap) beyond MAX_SIZE, since its cost may grow with it. At these sizes a call
takes milliseconds, the dearest a fraction of a second (a test times them).
"""

import ast
import json
import math
import operator
from collections.abc import Callable
from functools import cached_property
from pathlib import Path

import numpy as np

from sqrtdk_docs.numbers.functions import CONSTANTS, MATHS, MODULE_OF, lesson

MAX_LENGTH = 500        # characters
MAX_PARTS = 150         # numbers, lists, calls, operations
MAX_CALLS = 12
MAX_ELEMENTS = 256      # numbers in an array or in nested lists
MAX_SIZE = 2**20        # of a number that stands alone among a lesson function's arguments
MAX_BITS = 1024         # of an integer; floats end there too
MAX_RESULTS = 64        # numbers that one mark can show

Result = tuple[float, ...]


class ExpressionError(ValueError):
    """The expression is outside the grammar, too big, or fails; the message says which."""


class Calculator:
    """Evaluates expressions against the lesson and the results in `folder`/NAME.json.

    It reads each file and evaluates each expression once: make a new one for each build.
    """

    def __init__(self, folder: Path):
        self._folder = folder
        self._read: dict[str, object] = {}
        self._known: dict[str, Result] = {}

    def evaluate(self, expression: str) -> Result:
        """The numbers that an expression gives: one, or those of a flat list.

        Raises ExpressionError.
        """
        if expression not in self._known:
            tree = _parse(expression)
            with np.errstate(all="ignore"):     # an inf or nan is a result; the page judges it
                self._known[expression] = _as_result(self._value(tree))
        return self._known[expression]

    def _value(self, node: ast.expr):
        match node:
            case ast.Constant(value=bool() | int() | float() | str() | None):
                return node.value
            case ast.List() | ast.Tuple():
                return [self._value(element) for element in node.elts]
            case ast.Name(id=name) if name in CONSTANTS:
                return CONSTANTS[name]
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -_operand(self._value(operand))
            case ast.BinOp(op=op) if type(op) in _OPERATIONS:
                left, right = _operand(self._value(node.left)), _operand(self._value(node.right))
                return _arithmetic(_OPERATIONS[type(op)], left, right)
            case ast.Subscript(value=ast.Name(id="data")):
                return self._data(_index(node.slice))
            case ast.Subscript():
                return _item(self._value(node.value), _index(node.slice))
            case ast.Call(func=ast.Name(id=name)):
                return self._call(name, node)
            case ast.Name(id="data"):
                raise ExpressionError("data needs a name: data['NAME']")
            case ast.Name(id=name):
                raise ExpressionError(f"{name} is not known here")
        raise ExpressionError(f"{type(node).__name__} is not allowed in an expression")

    def _call(self, name: str, node: ast.Call):
        function = _function(name)
        positional = [self._value(argument) for argument in node.args]
        named = {word.arg: self._value(word.value) for word in node.keywords if word.arg}
        if len(named) < len(node.keywords):
            raise ExpressionError("** is not allowed in a call")
        most = MAX_SIZE if name in MODULE_OF else math.inf
        for argument in (*positional, *named.values()):
            _refuse_big(name, argument, most)
        try:
            return function(*positional, **named)
        except Exception as error:      # whatever the arguments broke: told with page and line
            raise ExpressionError(f"{name}: {error}") from error

    def _data(self, name):
        if not isinstance(name, str) or name not in self._files:
            known = ", ".join(self._files) or "none yet"
            raise ExpressionError(f"there are no results named {name!r} (there are: {known})")
        if name not in self._read:
            try:
                self._read[name] = json.loads(self._files[name].read_text("utf-8"))
            except (OSError, ValueError, RecursionError) as error:
                raise ExpressionError(f"{self._files[name].name}: {error}") from error
        return self._read[name]

    @cached_property
    def _files(self) -> dict[str, Path]:
        """The results there are; a name is looked up here and never becomes part of a path."""
        return {path.stem: path for path in sorted(self._folder.glob("*.json"))}


def sources(expression: str) -> list[str]:
    """Where an expression's value comes from: `module:function` and `data:NAME`, as written.

    For links from a number to what holds it. Raises ExpressionError if it does not parse.
    """
    found = []
    for node in ast.walk(_parse(expression)):
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in MODULE_OF:
                found.append(f"{MODULE_OF[name]}:{name}")
            case ast.Subscript(value=ast.Name(id="data"), slice=ast.Constant(value=str(name))):
                found.append(f"data:{name}")
    return list(dict.fromkeys(found))


def _parse(expression: str) -> ast.expr:
    if len(expression) > MAX_LENGTH:
        raise ExpressionError(f"longer than {MAX_LENGTH} characters")
    if "\\" in expression:
        raise ExpressionError("no backslashes, please")
    try:
        tree = ast.parse(expression.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ExpressionError(f"cannot be read ({error})") from error
    nodes = list(ast.walk(tree))
    if sum(isinstance(node, ast.expr) for node in nodes) > MAX_PARTS:
        raise ExpressionError(f"more than {MAX_PARTS} parts")
    if sum(isinstance(node, ast.Call) for node in nodes) > MAX_CALLS:
        raise ExpressionError(f"more than {MAX_CALLS} calls")
    return tree


def _function(name: str) -> Callable:
    if name in MATHS:
        return MATHS[name]
    if name not in MODULE_OF:
        raise ExpressionError(f"{name} is not among the functions in numbers/functions.py")
    try:
        return lesson(name)
    except (ImportError, AttributeError) as error:
        raise ExpressionError(f"{name} cannot be loaded: {error}") from error


# --- sizes ------------------------------------------------------------------------------------

def _refuse_big(name: str, argument, most: float) -> None:
    if isinstance(argument, dict):
        raise ExpressionError(f"{name}: takes numbers, not a group of results; index it")
    if isinstance(argument, (int, float)) and abs(argument) > most:
        raise ExpressionError(f"{name}: takes no number beyond {most:g}")
    if _count(argument) > MAX_ELEMENTS:
        raise ExpressionError(f"{name}: takes no more than {MAX_ELEMENTS} numbers at a time")


def _count(value) -> int:
    """How many numbers `value` holds; stops counting beyond the limit."""
    if isinstance(value, np.ndarray):
        return value.size
    if not isinstance(value, (list, tuple)):
        return 1
    total = 0
    for element in value:
        total += _count(element)
        if total > MAX_ELEMENTS:
            break
    return total


# --- arithmetic -------------------------------------------------------------------------------

def _operand(value):
    """A number or a small array of floats: what arithmetic takes (as in Python, no list)."""
    if isinstance(value, np.ndarray) and value.dtype.kind in "iuf":
        if value.size > MAX_ELEMENTS:
            raise ExpressionError(f"arithmetic takes no more than {MAX_ELEMENTS} numbers at a time")
        return value.astype(float)
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value
    raise ExpressionError(f"arithmetic takes numbers and arrays, not {_kind(value)}")


def _arithmetic(operation: Callable, left, right):
    try:
        result = operation(left, right)
    except (ArithmeticError, ValueError) as error:
        raise ExpressionError(str(error)) from error
    if isinstance(result, complex):
        raise ExpressionError("the result is not a real number")
    if isinstance(result, int) and result.bit_length() > MAX_BITS:
        raise ExpressionError("the result is too large")
    return result


def _power(base, exponent):
    if isinstance(base, int) and isinstance(exponent, int) and abs(base) > 1:
        if exponent * base.bit_length() > MAX_BITS:     # refused before it is computed
            raise ExpressionError("the power is too large")
    return base**exponent


_OPERATIONS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
               ast.Div: operator.truediv, ast.Pow: _power}


# --- indexing ---------------------------------------------------------------------------------

def _index(node: ast.expr):
    """An index written as a literal: whole number, string, slice, or several for an array."""
    match node:
        case ast.Constant(value=bool()):
            pass
        case ast.Constant(value=int() | str()):
            return node.value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(number))):
            return -number
        case ast.Slice():
            bounds = (node.lower, node.upper, node.step)
            return slice(*(_index(bound) if bound else None for bound in bounds))
        case ast.Tuple():
            return tuple(_index(part) for part in node.elts)
    raise ExpressionError(f"an index must be a literal, not {type(node).__name__}")


def _item(value, index):
    if not isinstance(value, (list, tuple, dict, np.ndarray)):
        raise ExpressionError(f"[{index!r}]: {_kind(value)} has no parts")
    try:
        return value[index]
    except KeyError as error:
        known = ", ".join(map(str, value))
        raise ExpressionError(f"[{index!r}]: there is only {known[:200]}") from error
    except (LookupError, TypeError, ValueError) as error:
        raise ExpressionError(f"[{index!r}]: {error}") from error


# --- the result -------------------------------------------------------------------------------

def _as_result(value) -> Result:
    """One number or a flat list as a tuple of Python numbers."""
    if isinstance(value, np.ndarray) and value.ndim <= 1:
        value = value.tolist()
    values = value if isinstance(value, (list, tuple)) else [value]
    if not 1 <= len(values) <= MAX_RESULTS:
        raise ExpressionError(f"gives {len(values)} numbers; show 1 to {MAX_RESULTS}")
    return tuple(_as_number(number) for number in values)


def _as_number(value) -> float:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value
    raise ExpressionError(f"gives {_kind(value)} where a number should be; index it")


_KINDS = {str: "a text", bool: "True or False", list: "a list", tuple: "a list",
          dict: "a group of results", np.ndarray: "an array", type(None): "None"}


def _kind(value) -> str:
    return _KINDS.get(type(value), type(value).__name__)
