"""How objects are copied and pickled: one way for all classes of the core.

An object is saved as the class and the arguments that it was made with, and a `Bag` of what has become of it since.
Each class says both in two short methods, which Python cannot reach when they are compiled:

    def made_from(self):                # the class whose __init__ is called, and its arguments
        return RepeatedAStar, self.open, self.given, self.check, self.backward, self.inflation

    def carry(self, bag):               # each field once, and all that it may be
        self.x = bag.whole("x", self.x, 2, MOST_STAMP)

The same lines write and read. While an object is saved the bag notes the value that it is given and hands it back.
While one is loaded it hands out what was noted. Both times it is checked, so that what was saved can be loaded, and
what was damaged is an InputError and never a crash. Of arrays as large as the map only what is in use goes in.

What a user's class adds, its `__dict__` or what its own `__getstate__` says, is kept as Python keeps it for any object.
A class with C fields that does not say what they hold is refused.

Replan itself never unpickles anything. Whoever loads a pickle runs what its author wrote: they are for one's own files.
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

FORMAT_VERSION = 1  # another number where a saved object means something else than before
PLAIN_TYPES = (bool, int, float, str, type(None))
INTEGER_DTYPES = ("|u1", "<u2", "<i4", "<i8")  # whole numbers are written in the first of these that holds them all
BOOL_DTYPE, FLOAT_DTYPE = "|b1", "<f8"
MAX_ITEMS = 2 * MAX_STATES
DAMAGED_MESSAGE = "it is damaged, or another version of replan has saved it"
POINTER_SIZE = struct.calcsize("P")
INT64_RANGE = (-(1 << 63), (1 << 63) - 1)


class PackedArray(NamedTuple):
    """An array as bytes: of which kind, of which shape, and its compressed content."""

    dtype: str
    shape: tuple[int, ...]
    data: bytes


def pack(array: Any) -> PackedArray:
    """An array of truth values, whole numbers or floats as bytes, the same on every machine."""
    items = np.ascontiguousarray(array)
    if items.dtype == bool:
        kind, raw = BOOL_DTYPE, np.packbits(items.reshape(-1))
    elif items.dtype.kind == "f":
        kind, raw = FLOAT_DTYPE, items.astype(FLOAT_DTYPE)
    else:
        low, high = (int(items.min()), int(items.max())) if items.size else (0, 0)
        kind = next(k for k in INTEGER_DTYPES if np.iinfo(k).min <= low and high <= np.iinfo(k).max)
        raw = items.astype(kind)
    return PackedArray(kind, items.shape, zlib.compress(raw.tobytes(), 1))


def unpack(packed: Any) -> Array:
    """The array again: bool, int64 or float64. Raises InputError for bytes that `pack` has not made."""
    try:
        kind, shape, data = packed
        fits = kind in (BOOL_DTYPE, FLOAT_DTYPE, *INTEGER_DTYPES) and all(type(k) is int and k >= 0 for k in shape)
        count = prod(shape)
        if not fits or count > MAX_ITEMS or len(shape) > 2 or type(data) is not bytes:
            raise InputError(DAMAGED_MESSAGE)
        size = (count + 7) // 8 if kind == BOOL_DTYPE else count * np.dtype(kind).itemsize
        stream = zlib.decompressobj()
        raw = stream.decompress(data, size + 1)
        if len(raw) != size or not stream.eof or stream.unused_data:
            raise InputError(DAMAGED_MESSAGE)
    except (TypeError, ValueError, zlib.error):
        raise InputError(DAMAGED_MESSAGE) from None
    if kind == BOOL_DTYPE:
        return np.unpackbits(np.frombuffer(raw, np.uint8), count=count).astype(bool).reshape(shape)
    return np.frombuffer(raw, kind).astype(np.float64 if kind == FLOAT_DTYPE else np.int64).reshape(shape)


class Archive:
    """What has become of an object, field by field; see the text of this module."""

    def __init__(self, owner: object, fields: dict[str, Any] | None = None, prefix: str = "") -> None:
        """fields: those of an object that is loaded; None: one is being saved."""
        self.owner_name = owner if isinstance(owner, str) else type(owner).__name__
        self.is_loading = fields is not None
        self.fields: dict[str, Any] = {} if fields is None else fields
        self.prefix = prefix

    def nested(self, name: str) -> Archive:
        """The same bag for a part of the object, whose fields have names of their own."""
        bag = Archive(self.owner_name, self.fields, f"{self.prefix}{name}.")
        bag.is_loading = self.is_loading
        return bag

    def value(self, name: str, value: Any) -> Any:
        """Something that is not ours to check: of the user's, or checked by the caller."""
        if not self.is_loading:
            self.fields[self.prefix + name] = value
        elif self.prefix + name not in self.fields:
            raise self.error(name, "is missing")
        return self.fields[self.prefix + name]

    def instance(self, name: str, value: Any, *kinds: type) -> Any:
        """An object of one of these classes."""
        found = self.value(name, value)
        if not isinstance(found, kinds):
            raise self.error(name, f"is {short_repr(found)}")
        return found

    def boolean(self, name: str, value: Any) -> bool:
        found = self.value(name, value if self.is_loading else bool(value))
        if type(found) is not bool:
            raise self.error(name, f"is {short_repr(found)}, not True or False")
        return found

    def integer(self, name: str, value: Any, low: int = INT64_RANGE[0], high: int = INT64_RANGE[1]) -> int:
        """A whole number from low to high."""
        found = self.value(name, value if self.is_loading else int(value))
        if type(found) is not int or not low <= found <= high:
            raise self.error(name, f"is {short_repr(found)}, not a whole number from {low:,} to {high:,}")
        return found

    def number(self, name: str, value: Any, low: float, high: float) -> float:
        """A number from low to high."""
        found = self.value(name, value if self.is_loading else float(value))
        if type(found) is not float or not low <= found <= high:
            raise self.error(name, f"is {short_repr(found)}, not a number from {low:,} to {high:,}")
        return found

    def integers(self, name: str, values: Any, low: int, high: int, count: int | None = None) -> Array:
        """An array of whole numbers from low to high; count: how many they have to be."""
        if self.is_loading:
            found = unpack(self.value(name, None))
        else:
            found = np.asarray(values).astype(np.int64)
            self.value(name, pack(found))
        if found.ndim != 1 or found.dtype != np.int64 or (count is not None and len(found) != count):
            raise self.error(name, f"is no list of {'' if count is None else f'{count:,} '}whole numbers")
        if found.size and not (low <= found.min() and found.max() <= high):
            raise self.error(name, f"holds numbers from {found.min():,} to {found.max():,}, not {low:,} to {high:,}")
        return found

    def states(self, name: str, values: Any, n: int, unique: bool = False) -> Array:
        """States below n; once: none of them twice."""
        found = self.integers(name, values, 0, n - 1)
        if unique and len(np.unique(found)) != len(found):
            raise self.error(name, "holds a state twice")
        return found

    def require(self, condition: Any, message: str) -> None:
        """What has to be so; `what` says what it is if it is not."""
        if not condition:
            raise self.error(message)

    def error(self, name: str, how: str = "") -> InputError:
        verb = "loaded" if self.is_loading else "saved"
        why = f": {DAMAGED_MESSAGE}" if self.is_loading else ""
        return InputError(f"this {self.owner_name} cannot be {verb}: {self.prefix}{name}{' ' if how else ''}{how}{why}")


def reduce_object(thing: Any, constructor_args: tuple[Any, ...], archive: Archive) -> tuple[Any, ...]:
    """What `__reduce__` of an object returns."""
    kind, *args = constructor_args
    _check_c_fields(type(thing), kind)
    saved = (type(thing), kind, tuple(args), archive.fields)
    own = _user_state(thing, kind)
    return (rebuild, (*saved, _checksum(*saved))) if own is None else (rebuild, (*saved, _checksum(*saved)), own)


def rebuild(cls: Any, kind: Any, args: Any, fields: Any, checksum: Any) -> Any:
    """The object again. Raises InputError for anything that `reduced` has not made."""
    types = isinstance(cls, type) and type(args) is tuple and type(fields) is dict
    if not types or checksum != _checksum(cls, kind, args, fields):
        raise InputError(f"this {getattr(cls, '__name__', 'object')} cannot be loaded: {DAMAGED_MESSAGE}")
    return restore_object(cls, kind, args, fields)


def restore_object(cls: Any, kind: Any, args: tuple[Any, ...], fields: dict[str, Any]) -> Any:
    """The object that `reduced` has described. Raises InputError for a description that cannot be."""
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
    """The arguments of a class, with arrays where `pack` has packed some."""
    return [unpack(arg) if isinstance(arg, PackedArray) else arg for arg in args]


def deep_copy(thing: Any, memo: dict[int, Any]) -> Any:
    """As `copy.deepcopy` does it, but for parts that know the whole: what they have copied already is the copy."""
    with read_lock(thing):
        made_by, args, *own = thing.__reduce_ex__(4)
        args = copy.deepcopy(args, memo)
        if id(thing) not in memo:
            memo[id(thing)] = made_by(*args)
            _apply_user_state(memo[id(thing)], copy.deepcopy(own, memo))
        return memo[id(thing)]


def _apply_user_state(thing: Any, own: list[Any]) -> None:
    """Give a copy what a user's class has added, as `pickle` does."""
    for state in own:
        if hasattr(thing, "__setstate__"):
            thing.__setstate__(state)
            continue
        attributes, slots = state if isinstance(state, tuple) else (state, None)
        vars(thing).update(attributes or {})
        for name, value in (slots or {}).items():
            setattr(thing, name, value)


def copy_sharing(thing: Thing, *shared: Any) -> Thing:
    """A copy that goes on by itself; what is shared it has in common with the original."""
    return copy.deepcopy(thing, {id(one): one for one in shared if one is not None})


def not_copyable_error(thing: object, whole: str) -> TypeError:
    """The error for a part that cannot be copied by itself."""
    return TypeError(f"a {type(thing).__name__} cannot be copied or pickled alone, but as part of {whole}")


def _checksum(cls: type, kind: type, args: tuple[Any, ...], fields: dict[str, Any]) -> int:
    """A check sum of all that is plain: the objects have their own."""
    sum = zlib.crc32(repr((FORMAT_VERSION, cls.__qualname__, kind.__qualname__, len(args))).encode())
    for name, value in (*((None, arg) for arg in args), *fields.items()):
        if isinstance(value, PackedArray) and type(value.data) is bytes:
            sum = zlib.crc32(value.data, zlib.crc32(repr((name, *value[:2])).encode(), sum))
        else:
            word = repr(value) if type(value) in PLAIN_TYPES else "object"
            sum = zlib.crc32(f"{name!r}: {word}".encode(errors="backslashreplace"), sum)
    return sum


def _check_c_fields(cls: type, kind: type) -> None:
    """A user's class that is written in Cython may have C fields, of which Python knows nothing but their size."""
    for one in cls.__mro__[: cls.__mro__.index(kind)]:
        if "__getstate__" in vars(one) and "__setstate__" in vars(one):
            return
        if one.__module__.partition(".")[0] != "replan" and _has_c_fields(one):
            raise TypeError(
                f"a {cls.__name__} cannot be copied or pickled: {one.__name__} has C fields, and nothing says what "
                "they hold; define the methods __getstate__(self), which returns it, and __setstate__(self, state), "
                "which takes it"
            )


def _has_c_fields(cls: type) -> bool:
    """Is an object of this class larger than its base, its slots, its __dict__ and its __weakref__ explain?"""
    base: Any = cls.__base__
    slots = vars(cls).get("__slots__", ())
    names = {slots} if isinstance(slots, str) else set(slots)
    known = len(names - {"__dict__", "__weakref__"})
    known += (cls.__weakrefoffset__ > 0) - (base.__weakrefoffset__ > 0)
    known += (cls.__dictoffset__ > 0) - (base.__dictoffset__ > 0)
    return bool(cls.__basicsize__ - base.__basicsize__ > known * POINTER_SIZE)


def _user_state(thing: Any, kind: type) -> Any:
    """What a user's class has added: as `object.__getstate__` or its own says. None: nothing."""
    ours = type(thing).__module__.partition(".")[0] == "replan"
    state = None if ours and not compiled else thing.__getstate__()
    if compiled or not state:
        return state or None
    if isinstance(state, tuple) and isinstance(state[0], dict):  # with slots
        return _without_core_attributes(state[0], kind), *state[1:]
    return _without_core_attributes(state, kind) if isinstance(state, dict) else state


def _without_core_attributes(state: dict[str, Any], kind: type) -> dict[str, Any] | None:
    return {name: value for name, value in state.items() if name not in _attributes_set_by(kind)} or None


@cache
def _attributes_set_by(kind: type) -> frozenset[str]:
    """The attributes that our own classes set: interpreted, they stand in `__dict__` beside those of users."""
    names = set()
    for base in kind.__mro__[:-1]:
        for node in ast.walk(ast.parse(dedent(inspect.getsource(base)))):
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                owner = node.value
                if isinstance(owner, ast.Name) and owner.id == "self":
                    names.add(node.attr)
    return frozenset(names)
