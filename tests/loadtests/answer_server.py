"""A small HTTP server that answers as a test tells it to."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable


class AnswerServer:
    """A small HTTP server: answers the n-th request with `answer(n, body)` after `delay_s(n)`; None hangs up."""

    def __init__(self, answer: Callable[[int, bytes], bytes | None], delay_s: Callable[[int], float]) -> None:
        self._answer, self._delay_s = answer, delay_s
        self.num_connections, self.num_requests = 0, 0
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self._server = asyncio.run_coroutine_threadsafe(
            asyncio.start_server(self._serve, "127.0.0.1", 0, backlog=1024), self._loop
        ).result(10)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/translate"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.num_connections += 1
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                body = await reader.readexactly(int(head.split(b"content-length: ")[1].split(b"\r\n")[0]))
                number, self.num_requests = self.num_requests, self.num_requests + 1
                await asyncio.sleep(self._delay_s(number))
                answer = self._answer(number, body)
                if answer is None:
                    break
                writer.write(answer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    def close(self) -> None:
        async def end() -> None:
            self._server.close()
            others = asyncio.all_tasks() - {asyncio.current_task()}
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)

        asyncio.run_coroutine_threadsafe(end(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()


def ok(body: bytes, headers: bytes = b"") -> bytes:
    return b"HTTP/1.1 200 OK\r\n%scontent-length: %d\r\n\r\n%s" % (headers, len(body), body)


def status(code: int) -> bytes:
    return b"HTTP/1.1 %d X\r\ncontent-length: 0\r\n\r\n" % code


def chunked(body: bytes) -> bytes:
    return b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
