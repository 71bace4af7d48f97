"""A server of OpenAI's Realtime interface that transcribes. The first part of the path is the conduct:
`/plain/v1/realtime`; those that are not in CONDUCTS refuse the handshake with that status.

It knows one sentence and hears it in any audio that is not silent. It reports `connected QUERY`, `key KEY`,
`session JSON` (of each update), `utterance BYTES ADLER32` (of each commit), `closed CODE` and, for whatever a
server would refuse, `bad REASON`.
"""

import asyncio
import base64
import collections
import http
import itertools
import json
import struct
import urllib.parse
import zlib

from websockets.asyncio.server import serve

from peer import commands, report

WORDS = ["Good", " morning,", " everybody."]
SENTENCE = "".join(WORDS)
PREFIX = "conversation.item.input_audio_transcription."
CONDUCTS = {
    "plain", "live", "beta", "drop", "drop-commit", "drop-always", "bye", "expired", "hang", "hang-update",
    "hang-deaf", "order", "unknown", "huge", "endless", "refuse-update", "failed", "limited", "leak", "words",
    "policy", "seconds", "early",
}

connections = collections.Counter()
numbers = itertools.count(1)


class Over(Exception):
    """The end of a connection, whose other messages are not read."""


class Refused(Exception):
    """An event that the interface does not allow."""


def exactly(value, **members):
    if not isinstance(value, dict) or set(value) - {"event_id"} != set(members):
        raise Refused(f"members of {json.dumps(value)[:200]}")
    for name, check in members.items():
        if not (check(value[name]) if callable(check) else value[name] == check):
            raise Refused(f"{name} {json.dumps(value[name])[:200]}")
    return True


def is_transcription(value):
    required = {"model": str}
    allowed = {"model": str, "language": str, "prompt": str}
    return set(required) <= set(value) <= set(allowed) and all(
        isinstance(member, allowed[name]) for name, member in value.items())


def is_session(value):
    return exactly(value, type="transcription", audio=lambda audio: exactly(
        audio, input=lambda entry: exactly(
            entry, format=lambda format: exactly(format, type="audio/pcm", rate=24000),
            transcription=is_transcription, turn_detection=None)))


class Session:
    def __init__(self, socket, conduct):
        self.socket, self.conduct = socket, conduct
        connections[conduct] += 1
        self.connection = connections[conduct]
        self.audio = b""
        self.item = f"item_{next(numbers)}"
        self.last = None
        self.sent = 0

    async def send(self, kind, **members):
        await self.socket.send(json.dumps(
            {"type": kind, "event_id": f"event_{next(numbers)}", **members}))

    async def error(self, kind, code, message):
        await self.send("error", error={
            "type": kind, "code": code, "message": message, "param": None, "event_id": None})

    async def delta(self, text, item=None):
        await self.send(PREFIX + "delta", item_id=item or self.item, content_index=0, delta=text)

    async def completed(self, text, item=None):
        usage = {"type": "duration", "seconds": 1.5} if self.conduct == "seconds" else {
            "type": "tokens", "input_tokens": 14, "output_tokens": 5, "total_tokens": 19,
            "input_token_details": {"text_tokens": 0, "audio_tokens": 14}}
        await self.send(
            PREFIX + "completed", item_id=item or self.item, content_index=0, transcript=text, usage=usage)

    async def committed(self):
        await self.send("input_audio_buffer.committed", item_id=self.item, previous_item_id=self.last)

    def abort(self):
        self.socket.transport.abort()
        raise Over

    async def leave(self, code, reason=""):
        await self.socket.close(code, reason)
        raise Over

    @property
    def key(self):
        return self.socket.request.headers["Authorization"].split()[1]

    @property
    def text(self):
        samples = struct.unpack(f"<{len(self.audio) // 2}h", self.audio)
        power = sum(sample * sample for sample in samples) / max(1, len(samples))
        return SENTENCE if power > 33 ** 2 else ""

    async def run(self):
        await self.send("session.created", session={
            "id": "sess_1", "object": "realtime.transcription_session", "type": "transcription"})
        async for message in self.socket:
            if not isinstance(message, str):
                raise Refused("a binary message")
            event = json.loads(message)
            kind = event["type"]
            if kind == "session.update":
                exactly(event, type=kind, session=is_session)
                report("session", json.dumps(event["session"], sort_keys=True))
                await self.update(event["session"])
            elif kind == "input_audio_buffer.append":
                exactly(event, type=kind, audio=lambda audio: isinstance(audio, str))
                piece = base64.b64decode(event["audio"], validate=True)
                if not piece or len(piece) % 2:
                    raise Refused(f"{len(piece)} bytes of audio")
                self.audio += piece
                await self.heard()
            elif kind == "input_audio_buffer.commit":
                exactly(event, type=kind)
                if len(self.audio) < 4800:
                    raise Refused("less than 100 ms of audio")
                report("utterance", len(self.audio), zlib.adler32(self.audio))
                await self.answer()
                self.last, self.item = self.item, f"item_{next(numbers)}"
                self.audio, self.sent = b"", 0
            else:
                raise Refused(f"an event {kind}")

    async def update(self, session):
        if self.conduct == "hang-update":
            return
        if self.conduct == "refuse-update":
            return await self.error(
                "invalid_request_error", "invalid_model", "The model is not supported for transcription.")
        name = "transcription_session.updated" if self.conduct == "beta" else "session.updated"
        await self.send(name, session={"id": "sess_1", **session})
        if self.conduct == "hang-deaf":
            self.socket.transport.pause_reading()
            await asyncio.Future()

    async def heard(self):
        if self.conduct == "early":
            await self.committed()
        elif self.conduct == "live":
            while self.sent < 2 and len(self.audio) >= 12000 * (self.sent + 1):
                await self.delta(WORDS[self.sent])
                self.sent += 1
        elif self.conduct == "drop" and self.connection == 1 and len(self.audio) >= 20000:
            await self.delta("Go")
            self.abort()
        elif self.conduct == "drop-always":
            self.abort()
        elif self.conduct == "policy":
            await self.leave(1008, f"not with this account: {self.key}")
        elif self.conduct == "expired" and self.connection == 1 and self.last:
            await self.error(
                "invalid_request_error", "session_expired", "The session reached its maximum duration.")
            await self.leave(1000)

    async def answer(self):
        conduct, text = self.conduct, self.text
        if conduct == "hang":
            return
        if conduct == "huge":
            return await self.delta("x" * (2 << 20))
        if conduct == "words":
            return await self.socket.send("hello")
        if conduct == "limited":
            return await self.error("tokens", "rate_limit_exceeded", "Rate limit reached.")
        if conduct == "leak":
            return await self.error("invalid_request_error", None, f"The key {self.key} is not in order.")
        if conduct == "unknown":
            await self.unknown()
        if conduct == "order":
            return await self.out_of_order(text)
        await self.committed()
        await self.send("conversation.item.added", previous_item_id=self.last, item={
            "id": self.item, "type": "message", "role": "user", "content": []})
        if conduct == "endless":
            while True:
                await self.delta("more and more " * 1000)
        if conduct == "failed":
            return await self.send(
                PREFIX + "failed", item_id=self.item, content_index=0,
                error={"type": "server_error", "code": None, "message": "The model broke.", "param": None})
        for word in WORDS[self.sent:] if text else []:
            await self.delta(word)
            if conduct == "drop-commit" and self.connection == 1:
                self.abort()
        await self.completed(text + "\n")
        if conduct == "bye":
            await self.leave(1001, "enough")

    async def unknown(self):
        await self.socket.send('{"type":"rate_limits.updated","rate_limits":[{"name":"requests"}],"error":null}')
        await self.socket.send('{"type":"","item_id":null,"delta":null,"usage":null,"surprise":[[[{}]]]}')
        await self.send(PREFIX + "segment", id="s", item_id=self.item, text="no", start=0, end=1)
        await self.send(PREFIX + "delta", content_index=0)
        await self.send(PREFIX + "completed", content_index=0)
        await self.send("input_audio_buffer.committed")

    async def out_of_order(self, text):
        """Events of several items in each other's midst, results before their announcement and twice."""
        if self.last:
            await self.delta("old", self.last)
            await self.completed("An old sentence.", self.last)
            await self.send("input_audio_buffer.committed", item_id=self.last)
        await self.delta("foreign", "item_x")
        await self.delta(WORDS[0])
        await self.completed("A foreign sentence.", "item_x")
        await self.delta(WORDS[1])
        await self.send(PREFIX + "failed", item_id="item_y", content_index=0, error={"message": "Foreign."})
        await self.completed(text)
        await self.completed("Again.")
        await self.committed()
        await self.delta("late")


async def refuse(connection, request):
    conduct = request.path.split("/")[1]
    if conduct not in CONDUCTS:
        report("refused", conduct)
        if conduct == "404":
            return connection.respond(http.HTTPStatus.NOT_FOUND, "<html></html>")
        return connection.respond(http.HTTPStatus(int(conduct)), json.dumps({"error": {
            "type": "invalid_request_error", "code": "refused",
            "message": f"Not with {request.headers.get('Authorization')}."}}))
    if not request.path.partition("?")[0].endswith("/v1/realtime"):
        return connection.respond(http.HTTPStatus.NOT_FOUND, "")


async def handle(socket):
    address = urllib.parse.urlparse(socket.request.path)
    report("connected", address.query)
    report("key", socket.request.headers.get("Authorization"))
    try:
        await Session(socket, address.path.split("/")[1]).run()
    except Over:
        pass
    except Refused as refusal:
        report("bad", refusal)
        await socket.close(1002)
    except Exception as error:
        # The client or this server has ended the connection.
        if socket.close_code is None and not socket.transport.is_closing():
            report("bad", repr(error))
    await socket.wait_closed()
    report("closed", socket.close_code)


async def main():
    commands()
    server = await serve(
        handle, "127.0.0.1", 0, compression=None, process_request=refuse, ping_interval=None, max_size=15 << 20,
        close_timeout=2)
    report("port", server.sockets[0].getsockname()[1])
    await asyncio.Future()


asyncio.run(main())
