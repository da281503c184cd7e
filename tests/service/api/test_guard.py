"""What is told of a body that is no JSON: why, where, and none of it."""

from __future__ import annotations

import pytest

from service.api.guard import parse_json
from service.errors import MalformedJsonError


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b"", "the body is empty; send a JSON object with the field `text`"),
        (b" \n", "the body is empty; send a JSON object with the field `text`"),
        (b'{"text": "secret', "the body is not valid JSON: see line 1 column 16"),
        (b'{"text":\n nothing}', "the body is not valid JSON: see line 2 column 3"),
        (b'{"text": "caf\xe9"}', "the body is not UTF-8: see byte 13"),
    ],
)
def test_why_a_body_is_no_json_is_told_without_quoting_it(body: bytes, told: str) -> None:
    with pytest.raises(MalformedJsonError) as raised:
        parse_json(body)
    assert str(raised.value) == told
