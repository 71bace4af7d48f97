"""A server that agrees to speak WebSocket and then does what the path says. It reports how the client
took its leave: `PATH close CODE` for a close frame, `PATH gone` without one."""

import asyncio
import base64
import hashlib
import socket
import struct

from peer import commands, report


def frame(opcode, payload, final=1, reserved=0, masked=False):
    start = bytes([final << 7 | reserved << 4 | opcode])
    mask = 0x80 if masked else 0
    count = len(payload)
    if count < 126:
        start += bytes([mask | count])
    elif count < 65536:
        start += bytes([mask | 126]) + struct.pack(">H", count)
    else:
        start += bytes([mask | 127]) + struct.pack(">Q", count)
    return start + (b"\0\0\0\0" if masked else b"") + payload


FRAMES = {
    "/masked": frame(1, b"hi", masked=True),
    "/reserved": frame(1, b"hi", reserved=4),
    "/opcode": frame(3, b"hi"),
    "/long-ping": frame(9, b"x" * 126),
    "/cut-ping": frame(9, b"x", final=0),
    "/lone-continuation": frame(0, b"hi"),
    "/nested": frame(1, b"a", final=0) + frame(1, b"b"),
    "/not-utf8": frame(1, b"\xff\xfe"),
    "/surrogate": frame(1, b"\xed\xa0\x80"),
    "/padded-length": b"\x81\x7e\x00\x05hello",
    "/top-bit": b"\x81\x7f" + b"\xff" * 8,
    "/announced": b"\x82\x7f" + struct.pack(">Q", 1 << 40) + b"x" * 1000,
    "/short-close": frame(8, b"\x03"),
    "/close-1005": frame(8, struct.pack(">H", 1005)),
    "/close-not-utf8": frame(8, struct.pack(">H", 1000) + b"\xff"),
    "/fragments": frame(2, b"y" * 60000, final=0) + frame(0, b"y" * 60000, final=0) * 500,
    "/messages-then-violation": frame(1, b"one") + frame(1, b"two") + frame(3, b""),
    "/pieces": frame(1, "grü".encode()[:3], final=0) + frame(9, b"in between")
    + frame(0, "grü".encode()[3:] + b"n"),
}

ANSWERS = {
    "/not-http": b"SSH-2.0-OpenSSH_9.2\r\n\r\n",
    "/ok": b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
    "/moved": b"HTTP/1.1 302 Found\r\nLocation: ws://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n",
    "/unauthorised": b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 6\r\n\r\nno key",
    "/busy": b"HTTP/1.1 503 Busy\r\nRetry-After: 90\r\nContent-Length: 0\r\n\r\n",
    "/endless-head": b"HTTP/1.1 101 x\r\nX: " + b"y" * 200000,
    "/nothing": b"",
}


def acceptance(path, head):
    key = next(line.split(b": ")[1] for line in head.split(b"\r\n")
               if line.lower().startswith(b"sec-websocket-key"))
    value = base64.b64encode(
        hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest()).decode()
    fields = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Accept": value}
    if path == "/wrong-proof":
        fields["Sec-WebSocket-Accept"] = "AAAA"
    if path == "/no-upgrade":
        del fields["Upgrade"]
    if path == "/extension":
        fields["Sec-WebSocket-Extensions"] = "permessage-deflate"
    if path == "/protocol":
        fields["Sec-WebSocket-Protocol"] = "surprise"
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"HTTP/1.1 101 Switching Protocols\r\n{lines}\r\n".encode()


async def handle(reader, writer):
    try:
        head = await reader.readuntil(b"\r\n\r\n")
        path = head.split()[1].decode()
        if path in ANSWERS:
            writer.write(ANSWERS[path])
            if path == "/nothing":
                writer.close()
                return
            await reader.read()
            report(path, "gone")
            writer.close()
            return
        if path == "/stuck":
            await reader.read()
            report(path, "gone")
            writer.close()
            return
        writer.write(acceptance(path, head) + FRAMES.get(path, b""))
        if path == "/reset":
            await writer.drain()
            linger = struct.pack("ii", 1, 0)
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            writer.transport.abort()
            return
        if path == "/hang-up":
            writer.close()
            return
        if path == "/drip":
            for byte in frame(1, "süß".encode()) + frame(2, b"\0" * 300) + frame(8, b"\x03\xe8bye"):
                writer.write(bytes([byte]))
                await writer.drain()
                await asyncio.sleep(0)
        received = b""
        if path == "/no-farewell":
            # Reads, and neither answers the close frame nor hangs up.
            while await reader.read(65536):
                pass
            report(path, "gone")
            writer.close()
            return
        if path == "/many-small":
            for _ in range(200):
                writer.write(frame(1, b"") * 1000)
                await writer.drain()
            writer.write(frame(8, struct.pack(">H", 1000)))
        leave = -1
        while piece := await reader.read(65536):
            received += piece
            leave = received.find(b"\x88")
            if 0 <= leave <= len(received) - 8:
                break
        if 0 <= leave <= len(received) - 8:
            mask = received[leave + 2:leave + 6]
            code = bytes(byte ^ mask[i] for i, byte in enumerate(received[leave + 6:leave + 8]))
            report(path, "close", struct.unpack(">H", code)[0])
        else:
            report(path, "gone")
        writer.close()
    except (ConnectionError, asyncio.IncompleteReadError) as error:
        report("lost", repr(error))
        writer.close()


async def main():
    commands()
    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    report("port", server.sockets[0].getsockname()[1])
    await asyncio.Future()


asyncio.run(main())
