"""Traces with OpenTelemetry, sent as OTLP over HTTP: a span for a request and one for each of its phases.

Phases are known when the request is answered, so spans are made then, with the times at which they happened. A request
that brings the header `traceparent` (W3C Trace Context) goes on with the trace that it names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Final

from service.errors import ConfigurationError

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider

SPAN_PHASES: Final = ("queue", "encode", "decode")
"""Phases that the engine tells the milliseconds of, in their order, as `<phase>_ms` of a request's sizes."""


@dataclass(frozen=True, slots=True)
class Told:
    """What a span says of an answered request."""

    request_id: str
    route: str
    model: str
    code: str
    status: int
    started: float
    """`time.time()` of its arrival."""
    worked: float
    """`time.time()` at which translation began; 0 when it never did."""
    ended: float


class Tracing:
    """Sends spans to a collector, in the background; spans that it cannot take are dropped."""

    def __init__(self, provider: TracerProvider) -> None:
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        self._provider = provider
        self._tracer = provider.get_tracer("attendant", version("attendant"))
        self._propagator = TraceContextTextMapPropagator()

    def record(self, told: Told, headers: Mapping[bytes, bytes], sizes: Mapping[str, float]) -> tuple[str, bool]:
        """Make the spans of one request; the id of its trace, 32 hexadecimal digits, and whether it is sampled."""
        from opentelemetry.trace import SpanKind, set_span_in_context
        from opentelemetry.trace.status import Status, StatusCode

        carrier = {name.decode("latin-1"): headers[name].decode("latin-1") for name in _CARRIED if name in headers}
        attributes: dict[str, str | float] = {
            "http.request.method": "POST",
            "http.route": told.route,
            "http.response.status_code": told.status,
            "attendant.request_id": told.request_id,
            "attendant.model": told.model,
            "attendant.code": told.code,
            **{f"attendant.{name}": size for name, size in sizes.items() if not name.endswith("_ms")},
        }
        span = self._tracer.start_span(
            f"POST {told.route}",
            context=self._propagator.extract(carrier),
            kind=SpanKind.SERVER,
            attributes=attributes,
            start_time=_nanoseconds(told.started),
        )
        if told.status >= 500:
            span.set_status(Status(StatusCode.ERROR, told.code))
        inside = set_span_in_context(span)
        for name, begin, end in _phases(told, sizes):
            phase = self._tracer.start_span(name, context=inside, start_time=_nanoseconds(begin))
            phase.end(_nanoseconds(end))
        span.end(_nanoseconds(told.ended))
        context = span.get_span_context()
        return f"{context.trace_id:032x}", context.trace_flags.sampled

    def stop(self) -> None:
        """Send what is left."""
        self._provider.shutdown()


_CARRIED: Final = (b"traceparent", b"tracestate")


def _nanoseconds(seconds: float) -> int:
    return int(seconds * 1e9)


def _phases(told: Told, sizes: Mapping[str, float]) -> Iterator[tuple[str, float, float]]:
    """Name, begin and end of each phase, one behind the other."""
    if not told.worked:
        yield "read", told.started, told.ended
        return
    yield "read", told.started, told.worked
    at = told.worked
    for name in SPAN_PHASES:
        end = min(told.ended, at + sizes.get(f"{name}_ms", 0.0) / 1000)
        if f"{name}_ms" in sizes:
            yield name, at, end
        at = end
    yield "write", at, told.ended


def open_tracing(endpoint: str | None) -> Tracing | None:
    """Tracing to the collector at `endpoint`, such as http://localhost:4318; None without one.

    Raises ConfigurationError when the packages for it are not installed.
    """
    if endpoint is None:
        return None
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as error:
        told = "otlp_endpoint: traces need the extra `traces`; pip install 'attendant[traces]', or unset it"
        raise ConfigurationError(told) from error
    provider = TracerProvider(resource=Resource.create({"service.name": "attendant"}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(f"{endpoint.rstrip('/')}/v1/traces")))
    return Tracing(provider)
