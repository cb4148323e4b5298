#!/usr/bin/env python3
"""A `scened` whose checker says that invariant 5 is violated: the real one (the environment's REAL_SCENED) behind a
proxy that changes only that answer."""

import asyncio
import json
import os
import signal
import sys


def changed(message: bytes) -> bytes:
    if b'"verdicts"' not in message:
        return message
    reply = json.loads(message)
    parameters = reply["parameters"]
    parameters["conclusion"] = "violated"
    violation = {"records": [1, 2], "explanation": "window A shows what nobody may see"}
    parameters["verdicts"][4] |= {"verdict": "violated", "count": 3, "violations": [violation]}
    return json.dumps(reply).encode()


async def relay(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    try:
        while True:
            message = await source.readuntil(b"\0")
            sink.write(changed(message[:-1]) + b"\0")
            await sink.drain()
    except (asyncio.IncompleteReadError, OSError):
        pass
    finally:
        sink.close()


async def main() -> int:
    arguments = sys.argv[1:]
    place = arguments.index("--socket") + 1
    path, arguments[place] = arguments[place], arguments[place] + ".real"

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        real_reader, real_writer = await asyncio.open_unix_connection(arguments[place], limit=1 << 26)
        await asyncio.gather(relay(reader, real_writer), relay(real_reader, writer))

    # Listens first, because the real one says when it is ready.
    server = await asyncio.start_unix_server(serve, path, limit=1 << 26)
    process = await asyncio.create_subprocess_exec(os.environ["REAL_SCENED"], *arguments)
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, process.terminate)
    status = await process.wait()
    server.close()
    return status


sys.exit(asyncio.run(main()))
