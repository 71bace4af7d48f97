"""A real Socket.IO server. Arguments: a JSON object with `port`, `ping` (the interval in whole seconds, and the
time-out as well) and `matching`: how the service's answers can be matched (`id`, `ack`, `order`). It reports
each ping that it plans, which is after the client's answer to the one before.

Its event is `llm_generate`. The prompt `hang` is never answered, `fail` is answered with an error, and the
answer to `blob` follows an event with bytes. With `instant`, answers do not overtake each other.
"""

import asyncio
import json
import sys

import socketio
from aiohttp import web
from engineio.async_socket import AsyncSocket

from peer import commands, report

options = json.loads(sys.argv[1]) if len(sys.argv) > 1 else {}
ping = options.get("ping", 20)
matching = options.get("matching", "id")
server = socketio.AsyncServer(
    async_mode="aiohttp", ping_interval=ping, ping_timeout=ping, max_http_buffer_size=1 << 21,
    transports=options.get("transports", ["polling", "websocket"]))
lock = asyncio.Lock()
plan_ping = AsyncSocket.schedule_ping


def report_ping(socket):
    report("ping")
    plan_ping(socket)


AsyncSocket.schedule_ping = report_ping
upgrade = AsyncSocket._websocket_handler


async def report_upgrade(socket, websocket):
    if socket.connected:
        receive = websocket.wait

        async def watch():
            message = await receive()
            if message == "5":
                report("upgraded")
            return message

        websocket.wait = watch
    return await upgrade(socket, websocket)


AsyncSocket._websocket_handler = report_upgrade


@server.event
async def connect(sid, environ, auth):
    if auth and auth.get("token") == "wrong":
        raise socketio.exceptions.ConnectionRefusedError("unauthorized")
    report("connected", "websocket" if "websocket" in environ.get("HTTP_UPGRADE", "").lower()
           else "polling", json.dumps(auth))


@server.event
async def disconnect(sid, reason):
    report("disconnected", reason)


@server.event
async def llm_generate(sid, payload):
    if matching == "order":
        async with lock:
            return await generate(sid, payload)
    return await generate(sid, payload)


async def generate(sid, payload):
    prompt = payload.get("prompt")
    answer = {"timestamp": "2026-11-21T10:30:00Z"}
    if prompt == "hang":
        report("hanging")
        await asyncio.Future()
    if prompt == "blob":
        await server.emit("blob", {"first": b"\x01" * 1_000, "again": [b"\x02"]}, to=sid)
    if prompt == "fail":
        answer |= {"success": False, "error": {
            "code": "generation_failed", "message": "Failed to generate response",
            "details": "HTTP 429: Rate limit exceeded"}}
    else:
        answer |= {
            "success": True, "content": f"<{prompt}>", "generation_id": "req_a1b2c3d4e5f6",
            "model": payload.get("model", "gemini-2.5-flash-lite"), "provider": "Fake",
            "seen": payload}
    if matching != "order" and not options.get("instant"):
        # Later requests overtake earlier ones.
        await asyncio.sleep((hash(prompt) % 5) / 1000)
    if matching == "id":
        answer["request_id"] = payload.get("request_id")
    if matching == "ack":
        return answer
    await server.emit("llm_response", answer, to=sid)


async def main():
    commands()
    application = web.Application()
    server.attach(application)
    runner = web.AppRunner(application)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", options.get("port", 0))
    await site.start()
    report("port", site._server.sockets[0].getsockname()[1])
    await asyncio.Future()


asyncio.run(main())
