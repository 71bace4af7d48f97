"""An HTTP proxy that knows CONNECT and leads every name to this machine. It reports what it was asked for."""

import asyncio

from peer import commands, report


async def copy(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except ConnectionError:
        pass
    writer.close()


async def handle(reader, writer):
    head = await reader.readuntil(b"\r\n\r\n")
    method, target, _ = head.split(b"\r\n")[0].decode().split()
    report(method, target)
    if method != "CONNECT":
        writer.close()
        return
    there = await asyncio.open_connection("127.0.0.1", int(target.rpartition(":")[2]))
    writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
    await asyncio.gather(copy(reader, there[1]), copy(there[0], writer))


async def main():
    commands()
    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    report("port", server.sockets[0].getsockname()[1])
    await asyncio.Future()


asyncio.run(main())
