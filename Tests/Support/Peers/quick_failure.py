"""A WebSocket server that agrees to every connection and ends it at once. It reports each."""

import asyncio

from websockets.asyncio.server import serve

from peer import commands, report


async def handle(socket):
    report("accepted")
    await socket.close(1011, "not well")


async def main():
    commands()
    server = await serve(handle, "127.0.0.1", 0, compression=None)
    report("port", server.sockets[0].getsockname()[1])
    await asyncio.Future()


asyncio.run(main())
