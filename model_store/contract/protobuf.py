"""The wire format of protobuf messages, as far as the contract needs it, without the protobuf package."""

from __future__ import annotations

from collections.abc import Iterator

Field = tuple[int, "int | memoryview"]
"""Number and value of a field; strings, bytes and messages are views of the bytes that were read."""


def fields(message: memoryview) -> Iterator[Field]:
    """Field numbers and values of one protobuf message; the values of fixed-size fields are left out as 0."""
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        number, wire_type = key >> 3, key & 7
        if wire_type == 0:
            value, at = _varint(message, at)
            yield number, value
        elif wire_type == 2:
            size, at = _varint(message, at)
            if at + size > len(message):
                raise ValueError("a field runs past the end")
            yield number, message[at : at + size]
            at += size
        elif wire_type in (1, 5):
            at += 8 if wire_type == 1 else 4
            yield number, 0
        else:
            raise ValueError(f"wire type {wire_type}")


def _varint(message: memoryview, at: int) -> tuple[int, int]:
    byte = message[at]
    if byte < 0x80:  # as most are
        return byte, at + 1
    value = shift = 0
    while True:
        byte = message[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at
        if shift > 63:
            raise ValueError("varint too long")


def field(number: int, content: bytes | memoryview) -> bytes:
    """A string, bytes or a message as the field `number`, with key and length."""
    return _written(number << 3 | 2) + _written(len(content)) + bytes(content)


def _written(value: int) -> bytes:
    return bytes([value]) if value < 128 else bytes([value & 127 | 128]) + _written(value >> 7)
