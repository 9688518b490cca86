"""Copying and pickling of all objects of the core.

An object is saved as its class, the arguments of its constructor, and an `Archive` of the fields that changed since.
Each class has two short methods for this, which Python cannot call if they are compiled:

    def constructor_args(self):         # the class whose __init__ is called, and its arguments
        return RepeatedAStar, self.open, self.user_heuristic, self.check_heuristic, self.is_backward, self.inflation

    def serialize(self, archive):       # each field once, with the range of its values
        self.x = archive.integer("x", self.x, 2, LARGEST_STAMP)

The same lines save and load. While an object is saved, the archive stores the value and returns it. While an object is
loaded, the archive returns the stored value. Both times the value is checked: everything that was saved can be loaded,
and damaged data raises InputError and never crashes. Of arrays as large as the map, only the used part is saved.

The attributes that a user's class adds (its `__dict__`, or the result of its `__getstate__`) are saved as Python saves
them for any object. A class with C fields but without `__getstate__` is refused.

Replan never unpickles anything by itself. Loading a pickle runs code that its author chose: load only your own files.
"""

from __future__ import annotations

import ast
import copy
import inspect
import struct
import zlib
from functools import cache
from math import prod
from textwrap import dedent
from typing import Any, NamedTuple, TypeVar

import numpy as np

from replan._core import compiled
from replan.errors import InputError, short_repr
from replan.limits import MAX_STATES
from replan.locking import read_lock

Array = np.ndarray[Any, Any]
Thing = TypeVar("Thing")

FORMAT_VERSION = 1  # increase it when the meaning of saved data changes
PLAIN_TYPES = (bool, int, float, str, type(None))
INTEGER_DTYPES = ("|u1", "<u2", "<i4", "<i8")  # integers are packed in the first type that holds all of them
BOOL_DTYPE, FLOAT_DTYPE = "|b1", "<f8"
MAX_ITEMS = 2 * MAX_STATES
DAMAGED_MESSAGE = "it is damaged, or another version of replan has saved it"
POINTER_SIZE = struct.calcsize("P")
INT64_RANGE = (-(1 << 63), (1 << 63) - 1)


class PackedArray(NamedTuple):
    """An array as its type, its shape, and its compressed content."""

    dtype: str
    shape: tuple[int, ...]
    data: bytes


def pack(array: Any) -> PackedArray:
    """Pack an array of bools, integers or floats; the result is the same on every machine."""
    items = np.ascontiguousarray(array)
    if items.dtype == bool:
        dtype, raw = BOOL_DTYPE, np.packbits(items.reshape(-1))
    elif items.dtype.kind == "f":
        dtype, raw = FLOAT_DTYPE, items.astype(FLOAT_DTYPE)
    else:
        low, high = (int(items.min()), int(items.max())) if items.size else (0, 0)
        dtype = next(name for name in INTEGER_DTYPES if np.iinfo(name).min <= low and high <= np.iinfo(name).max)
        raw = items.astype(dtype)
    return PackedArray(dtype, items.shape, zlib.compress(raw.tobytes(), 1))


def unpack(packed: Any) -> Array:
    """Unpack an array as bool, int64 or float64; raise InputError if it is damaged."""
    try:
        dtype, shape, data = packed
        is_valid = dtype in (BOOL_DTYPE, FLOAT_DTYPE, *INTEGER_DTYPES) and all(type(k) is int and k >= 0 for k in shape)
        count = prod(shape)
        if not is_valid or count > MAX_ITEMS or len(shape) > 2 or type(data) is not bytes:
            raise InputError(DAMAGED_MESSAGE)
        size = (count + 7) // 8 if dtype == BOOL_DTYPE else count * np.dtype(dtype).itemsize
        stream = zlib.decompressobj()
        raw = stream.decompress(data, size + 1)
        if len(raw) != size or not stream.eof or stream.unused_data:
            raise InputError(DAMAGED_MESSAGE)
    except (TypeError, ValueError, zlib.error):
        raise InputError(DAMAGED_MESSAGE) from None
    if dtype == BOOL_DTYPE:
        return np.unpackbits(np.frombuffer(raw, np.uint8), count=count).astype(bool).reshape(shape)
    return np.frombuffer(raw, dtype).astype(np.float64 if dtype == FLOAT_DTYPE else np.int64).reshape(shape)


class Archive:
    """The saved fields of an object by name; see the docstring of this module.

    owner: the object, or the name of its class. fields: the fields of an object that is loaded; None: the object is
    being saved. prefix: beginning of the names of all fields.
    """

    def __init__(self, owner: object, fields: dict[str, Any] | None = None, prefix: str = "") -> None:
        self.owner_name = owner if isinstance(owner, str) else type(owner).__name__
        self.is_loading = fields is not None
        self.fields: dict[str, Any] = {} if fields is None else fields
        self.prefix = prefix

    def nested(self, name: str) -> Archive:
        """Return an archive for a part of the object: it has the same fields, with names after the prefix `name.`"""
        archive = Archive(self.owner_name, self.fields, f"{self.prefix}{name}.")
        archive.is_loading = self.is_loading
        return archive

    def value(self, name: str, value: Any) -> Any:
        """Save or load an object without a check: a user's object, or one that the caller checks."""
        if not self.is_loading:
            self.fields[self.prefix + name] = value
        elif self.prefix + name not in self.fields:
            raise self.error(name, "is missing")
        return self.fields[self.prefix + name]

    def instance(self, name: str, value: Any, *kinds: type) -> Any:
        """Save or load an object of one of these classes."""
        result = self.value(name, value)
        if not isinstance(result, kinds):
            raise self.error(name, f"is {short_repr(result)}")
        return result

    def boolean(self, name: str, value: Any) -> bool:
        """Save or load a bool."""
        result = self.value(name, value if self.is_loading else bool(value))
        if type(result) is not bool:
            raise self.error(name, f"is {short_repr(result)}, not True or False")
        return result

    def integer(self, name: str, value: Any, low: int = INT64_RANGE[0], high: int = INT64_RANGE[1]) -> int:
        """Save or load a whole number from `low` to `high`."""
        result = self.value(name, value if self.is_loading else int(value))
        if type(result) is not int or not low <= result <= high:
            raise self.error(name, f"is {short_repr(result)}, not a whole number from {low:,} to {high:,}")
        return result

    def number(self, name: str, value: Any, low: float, high: float) -> float:
        """Save or load a float from `low` to `high`."""
        result = self.value(name, value if self.is_loading else float(value))
        if type(result) is not float or not low <= result <= high:
            raise self.error(name, f"is {short_repr(result)}, not a number from {low:,} to {high:,}")
        return result

    def integers(self, name: str, values: Any, low: int, high: int, count: int | None = None) -> Array:
        """Save or load a 1-D array of whole numbers from `low` to `high`, of length `count` if it is not None."""
        if self.is_loading:
            result = unpack(self.value(name, None))
        else:
            result = np.asarray(values).astype(np.int64)
            self.value(name, pack(result))
        if result.ndim != 1 or result.dtype != np.int64 or (count is not None and len(result) != count):
            raise self.error(name, f"is no list of {'' if count is None else f'{count:,} '}whole numbers")
        if result.size and not (low <= result.min() and result.max() <= high):
            raise self.error(name, f"holds numbers from {result.min():,} to {result.max():,}, not {low:,} to {high:,}")
        return result

    def states(self, name: str, values: Any, n: int, unique: bool = False) -> Array:
        """Save or load an array of states from 0 to `n - 1`, without repetitions if `unique`."""
        result = self.integers(name, values, 0, n - 1)
        if unique and len(np.unique(result)) != len(result):
            raise self.error(name, "holds a state twice")
        return result

    def require(self, condition: Any, message: str) -> None:
        """Raise the InputError with this message unless the condition holds."""
        if not condition:
            raise self.error(message)

    def error(self, name: str, problem: str = "") -> InputError:
        """Return the error for a field that cannot be saved or loaded."""
        verb = "loaded" if self.is_loading else "saved"
        reason = f"{self.prefix}{name} {problem}" if problem else f"{self.prefix}{name}"
        cause = f": {DAMAGED_MESSAGE}" if self.is_loading else ""
        return InputError(f"this {self.owner_name} cannot be {verb}: {reason}{cause}")


def reduce_object(thing: Any, constructor_args: tuple[Any, ...], archive: Archive) -> tuple[Any, ...]:
    """Return the result of an object's `__reduce__`."""
    kind, *args = constructor_args
    _check_c_fields(type(thing), kind)
    saved = (type(thing), kind, tuple(args), archive.fields)
    user_state = _user_state(thing, kind)
    reduced = (rebuild, (*saved, _checksum(*saved)))
    return reduced if user_state is None else (*reduced, user_state)


def rebuild(cls: Any, kind: Any, args: Any, fields: Any, checksum: Any) -> Any:
    """Make the object that `reduce_object` described; raise InputError if the description is damaged."""
    types_ok = isinstance(cls, type) and type(args) is tuple and type(fields) is dict
    if not types_ok or checksum != _checksum(cls, kind, args, fields):
        raise InputError(f"this {getattr(cls, '__name__', 'object')} cannot be loaded: {DAMAGED_MESSAGE}")
    return restore_object(cls, kind, args, fields)


def restore_object(cls: Any, kind: Any, args: tuple[Any, ...], fields: dict[str, Any]) -> Any:
    """Make an object from its class, constructor and fields; raise InputError if they are invalid."""
    if not isinstance(kind, type) or not issubclass(cls, kind) or not hasattr(kind, "_restore"):
        raise InputError(f"this is no saved object of replan's: {DAMAGED_MESSAGE}")
    try:
        thing = cls.__new__(cls)
        kind._restore(thing, kind, args, fields)
    except InputError as error:
        start = f"this {cls.__name__} cannot be loaded: "
        raise InputError(error.reason if error.reason.startswith(start) else start + error.reason) from None
    except (TypeError, ValueError, LookupError, AttributeError, ArithmeticError) as error:
        raise InputError(f"this {cls.__name__} cannot be loaded: {DAMAGED_MESSAGE} ({error})") from error
    return thing


def unpack_args(args: tuple[Any, ...]) -> list[Any]:
    """Return the arguments of a constructor with unpacked arrays."""
    return [unpack(arg) if isinstance(arg, PackedArray) else arg for arg in args]


def deep_copy(thing: Any, memo: dict[int, Any]) -> Any:
    """Like `copy.deepcopy`, but if copying a part of `thing` has already copied `thing`, return that copy."""
    with read_lock(thing):
        function, args, *user_state = thing.__reduce_ex__(4)
        args = copy.deepcopy(args, memo)
        if id(thing) not in memo:
            memo[id(thing)] = function(*args)
            _apply_user_state(memo[id(thing)], copy.deepcopy(user_state, memo))
        return memo[id(thing)]


def _apply_user_state(thing: Any, user_state: list[Any]) -> None:
    """Set the attributes that a user's class added, as `pickle` does."""
    for state in user_state:
        if hasattr(thing, "__setstate__"):
            thing.__setstate__(state)
            continue
        attributes, slots = state if isinstance(state, tuple) else (state, None)
        vars(thing).update(attributes or {})
        for name, value in (slots or {}).items():
            setattr(thing, name, value)


def copy_sharing(thing: Thing, *shared: Any) -> Thing:
    """Return a deep copy that shares the `shared` objects with the original."""
    return copy.deepcopy(thing, {id(part): part for part in shared if part is not None})


def not_copyable_error(thing: object, whole: str) -> TypeError:
    """Return the error for a part that can only be copied as a part of `whole`."""
    return TypeError(f"a {type(thing).__name__} cannot be copied or pickled alone, but as part of {whole}")


def _checksum(cls: type, kind: type, args: tuple[Any, ...], fields: dict[str, Any]) -> int:
    """Return a checksum of all plain values and arrays; other objects have their own checksums."""
    checksum = zlib.crc32(repr((FORMAT_VERSION, cls.__qualname__, kind.__qualname__, len(args))).encode())
    for name, value in (*((None, arg) for arg in args), *fields.items()):
        if isinstance(value, PackedArray) and type(value.data) is bytes:
            checksum = zlib.crc32(value.data, zlib.crc32(repr((name, *value[:2])).encode(), checksum))
        else:
            text = repr(value) if type(value) in PLAIN_TYPES else "object"
            checksum = zlib.crc32(f"{name!r}: {text}".encode(errors="backslashreplace"), checksum)
    return checksum


def _check_c_fields(cls: type, kind: type) -> None:
    """Raise TypeError if a user's Cython class has C fields but no methods that save them."""
    for base in cls.__mro__[: cls.__mro__.index(kind)]:
        if "__getstate__" in vars(base) and "__setstate__" in vars(base):
            return
        if base.__module__.partition(".")[0] != "replan" and _has_c_fields(base):
            raise TypeError(
                f"a {cls.__name__} cannot be copied or pickled: {base.__name__} has C fields, which Python cannot "
                "read; define the methods __getstate__(self), which returns their values, and __setstate__(self, "
                "state), which sets them"
            )


def _has_c_fields(cls: type) -> bool:
    """True if an object of this class is larger than its base class, __slots__, __dict__ and __weakref__ explain."""
    base: Any = cls.__base__
    slots = vars(cls).get("__slots__", ())
    names = {slots} if isinstance(slots, str) else set(slots)
    pointers = len(names - {"__dict__", "__weakref__"})
    pointers += (cls.__weakrefoffset__ > 0) - (base.__weakrefoffset__ > 0)
    pointers += (cls.__dictoffset__ > 0) - (base.__dictoffset__ > 0)
    return bool(cls.__basicsize__ - base.__basicsize__ > pointers * POINTER_SIZE)


def _user_state(thing: Any, kind: type) -> Any:
    """Return the attributes that a user's class added, as its `__getstate__` returns them; None if there are none."""
    is_ours = type(thing).__module__.partition(".")[0] == "replan"
    state = None if is_ours and not compiled else thing.__getstate__()
    if compiled or not state:
        return state or None
    if isinstance(state, tuple) and isinstance(state[0], dict):  # with slots
        return _without_core_attributes(state[0], kind), *state[1:]
    return _without_core_attributes(state, kind) if isinstance(state, dict) else state


def _without_core_attributes(state: dict[str, Any], kind: type) -> dict[str, Any] | None:
    """Remove the attributes that Replan's classes set; None if no others are left."""
    return {name: value for name, value in state.items() if name not in _attributes_set_by(kind)} or None


@cache
def _attributes_set_by(kind: type) -> frozenset[str]:
    """Return the attributes that Replan's classes set: interpreted, they are in `__dict__`, as the user's are."""
    names = set()
    for base in kind.__mro__[:-1]:
        for node in ast.walk(ast.parse(dedent(inspect.getsource(base)))):
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                owner = node.value
                if isinstance(owner, ast.Name) and owner.id == "self":
                    names.add(node.attr)
    return frozenset(names)
