"""An ordinary WebSocket server that sends back what it gets; with a certificate and its
key as arguments, over TLS.

Paths: /echo; /refuse (403); /bye (closes with 4001 after a message);
/flood (sends 64 MiB, reports when nobody takes it); /deaf (reads when told to); /headers (sends back the
request's fields); /silent (never answers, not even pings); /pings (as /echo, and reports pings).
"""

import asyncio
import http
import json
import ssl
import sys

from websockets.asyncio.server import ServerConnection, serve
from websockets.frames import Frame, Opcode

from peer import commands, report


class Connection(ServerConnection):
    def process_event(self, event):
        super().process_event(event)
        if isinstance(event, Frame) and event.opcode is Opcode.PING and self.request.path == "/pings":
            report("ping")


async def refuse(connection, request):
    if request.path == "/refuse":
        return connection.respond(http.HTTPStatus.FORBIDDEN, "not you\n")


async def handle(socket):
    path = socket.request.path.partition("?")[0]
    if path == "/bye":
        await socket.send(await socket.recv())
        await socket.close(4001, "enough")
    elif path == "/flood":
        piece = b"x" * 65536
        for number in range(1024):
            sending = asyncio.ensure_future(socket.send(number.to_bytes(4, "big") + piece[4:]))
            done, _ = await asyncio.wait([sending], timeout=1)
            if not done:
                report("stalled", number)
                await sending
        await socket.close()
    elif path == "/deaf":
        socket.transport.pause_reading()
        while await orders.get() != "read":
            pass
        socket.transport.resume_reading()
        count = total = 0
        async for message in socket:
            count += 1
            total += len(message)
        report("received", count, total)
    elif path == "/silent":
        socket.transport.pause_reading()
        await asyncio.Future()
    elif path == "/headers":
        await socket.send(json.dumps(dict(socket.request.headers.raw_items())))
        await socket.wait_closed()
    else:
        async for message in socket:
            await socket.send(message)
    report("closed", socket.close_code, socket.close_reason)


def tls(certificate, key):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context


async def main():
    global orders
    orders = commands()
    context = tls(*sys.argv[1:3]) if len(sys.argv) > 1 else None
    server = await serve(
        handle, "127.0.0.1", 0, ssl=context, compression=None, process_request=refuse,
        select_subprotocol=lambda _, offered: "echo" if "echo" in offered else None, max_size=None, ping_interval=None, close_timeout=2,
        create_connection=Connection)
    report("port", server.sockets[0].getsockname()[1])
    await asyncio.Future()


asyncio.run(main())
