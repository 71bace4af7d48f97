"""A server of Phoenix channels, as far as the documents describe it. Arguments: a JSON object with `port`,
`echo_id` (whether answers carry the request's id), `mute` (heartbeats are not answered), `never` (joins are
not answered), `token` (what a client has to show).

Topics that begin with `task:llm_`, `task:chat_` or `task:swift_` can be joined; a channel works on one message
at a time.
"""

import asyncio
import base64
import http
import json
import sys
import urllib.parse

from websockets.asyncio.server import serve

from peer import commands, report

options = json.loads(sys.argv[1]) if len(sys.argv) > 1 else {}


class Channel:
    def __init__(self, socket, topic, join_ref):
        self.socket, self.topic, self.join_ref = socket, topic, join_ref
        self.work = asyncio.Queue()
        self.worker = asyncio.create_task(self.run())

    async def send(self, ref, event, payload, join_ref=None):
        await self.socket.send(
            json.dumps([join_ref or self.join_ref, ref, self.topic, event, payload]))

    async def reply(self, ref, response, status="ok"):
        await self.send(ref, "phx_reply", {"status": status, "response": response})

    async def run(self):
        while True:
            ref, event, payload = await self.work.get()
            if event == "llm_generate":
                await self.generate(payload)

    async def generate(self, payload):
        prompt = payload.get("prompt")
        identity = {"request_id": payload.get("request_id")} if options.get("echo_id", True) else {}
        answer = {"timestamp": "2026-11-21T10:30:00.123Z", **identity}
        if prompt == "hang":
            report("hanging")
            await asyncio.Future()
        elif prompt == "crash":
            await self.send(self.join_ref, "phx_error", {"reason": "channel_crash"})
            self.worker.cancel()
        elif not prompt:
            answer |= {"success": False,
                       "error": {"code": "missing_prompt", "message": "Prompt is required"}}
        elif prompt == "fail":
            answer |= {"success": False, "error": {
                "code": "generation_failed", "message": "Failed to generate response",
                "details": "HTTP 429: Rate limit exceeded"}}
        else:
            answer |= {"success": True, "content": f"<{prompt}>", "generation_id": "req_1",
                       "model": payload.get("model") or "gemini-2.5-flash-lite",
                       "provider": "Elixir.RaBackend.LLM.Providers.Gemini"}
        await self.send(None, "llm_response", answer)


async def refuse(connection, request):
    address = urllib.parse.urlparse(request.path)
    query = urllib.parse.parse_qs(address.query)
    if address.path != "/socket/websocket" or query.get("vsn") != ["2.0.0"]:
        return connection.respond(http.HTTPStatus.NOT_FOUND, "no such socket\n")
    if options.get("token"):
        prefix = "base64url.bearer.phx."
        offered = request.headers.get("Sec-WebSocket-Protocol", "")
        token = next((part.strip()[len(prefix):] for part in offered.split(",")
                      if part.strip().startswith(prefix)), "")
        token = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)).decode()
        if token != options["token"]:
            return connection.respond(http.HTTPStatus.FORBIDDEN, "")


async def handle(socket):
    channels = {}
    report("connected")
    try:
        async for message in socket:
            join_ref, ref, topic, event, payload = json.loads(message)
            if topic == "phoenix":
                report("heartbeat")
                if not options.get("mute"):
                    await socket.send(json.dumps(
                        [None, ref, "phoenix", "phx_reply", {"status": "ok", "response": {}}]))
            elif event == "phx_join":
                await join(socket, channels, ref, topic, payload)
            elif topic not in channels:
                await socket.send(json.dumps([join_ref, ref, topic, "phx_reply", {
                    "status": "error", "response": {"reason": "unmatched topic"}}]))
            elif event == "phx_leave":
                channel = channels.pop(topic)
                channel.worker.cancel()
                await channel.reply(ref, {})
                await channel.send(channel.join_ref, "phx_close", {})
            elif join_ref in (None, channels[topic].join_ref):
                channels[topic].work.put_nowait((ref, event, payload))
                if payload.get("prompt") == "crash":
                    del channels[topic]
    finally:
        for channel in channels.values():
            channel.worker.cancel()


async def join(socket, channels, ref, topic, payload):
    async def answer(status, response):
        await socket.send(json.dumps(
            [ref, ref, topic, "phx_reply", {"status": status, "response": response}]))

    allowed = ("task:llm_", "task:chat_", "task:swift_")
    report("join", topic)
    if options.get("never"):
        return
    if not topic.startswith(allowed):
        reason = "Task not found" if topic.startswith("task:") else "unmatched topic"
        return await answer("error", {"reason": reason})
    if topic in channels:
        old = channels[topic]
        old.worker.cancel()
        await old.send(old.join_ref, "phx_close", {})
    channels[topic] = Channel(socket, topic, ref)
    await answer("ok", {})


async def main():
    commands()
    server = await serve(
        handle, "127.0.0.1", options.get("port", 0), compression=None, process_request=refuse,
        select_subprotocol=lambda _, offered: "phoenix" if "phoenix" in offered else None,
        ping_interval=None)
    report("port", server.sockets[0].getsockname()[1])
    await asyncio.Future()


asyncio.run(main())
