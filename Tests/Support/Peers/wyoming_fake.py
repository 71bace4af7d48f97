"""An engine of the Wyoming protocol whose answers can be predicted, and that misbehaves when asked to.

  wyoming_fake.py MANNER [--stdio | --unix PATH | --port PORT] [--crashes FILE]

A transcript is the number of frames that were heard, and their digest; an engine that “listens” reports the same words
for whatever is loud, and one that “ends early” takes half a second of silence for the end, and reports the number of
loud frames before it. A wake word is heard after a quarter of a second of loud audio. A character is spoken as 300
frames of 50 times its place in the text; an engine that “varies” speaks with a pace that differs each time it is
started or connected, and with 40 times the number of the character. With --crashes, each start or connection ends after
a random number of events, which depends on the number in FILE: every other one within the first exchange, the others
in a later one.
"""
import json
import os
import random
import signal
import socket
import struct
import sys
import threading
import time

manner = sys.argv[1]
RATE = 22050


def option(name):
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else None


class Crash(Exception):
    pass


class Engine:
    def __init__(self, reading, writing):
        self.reading, self.writing = reading, writing
        self.left = self.plan()
        self.digest, self.frames, self.pieces = 0, 0, 0
        self.loud, self.quiet, self.is_over = 0, 0, False
        self.names, self.is_heard = None, False

    def plan(self):
        """The number of events, in both directions, until it crashes."""
        self.pace = 300
        file = option("--crashes")
        if not file:
            return None
        number = int(open(file).read()) if os.path.exists(file) else 0
        with open(file, "w") as counter:
            counter.write(str(number + 1))
        self.pace = 200 + 100 * (number % 3)
        # The first one has to answer, because an engine that never worked is not waited for.
        return random.Random(number).randrange(1, 16) if number % 2 else random.Random(number).randrange(40, 80)

    def count(self):
        if self.left is not None:
            self.left -= 1
            if self.left <= 0:
                raise Crash

    def send(self, type, data=None, payload=b""):
        self.count()
        block = json.dumps(data).encode() if data else b""
        header = {"type": type, "version": "1.10.2"}
        if block:
            header["data_length"] = len(block)
        if payload:
            header["payload_length"] = len(payload)
        self.writing.write(json.dumps(header).encode() + b"\n" + block + payload)
        self.writing.flush()

    def receive(self):
        line = self.reading.readline()
        if not line:
            return None
        header = json.loads(line)
        data = header.get("data", {})
        if header.get("data_length"):
            data.update(json.loads(self.reading.read(header["data_length"])))
        payload = self.reading.read(header.get("payload_length") or 0)
        self.count()
        return header["type"], data, payload

    def run(self):
        if manner == "babbles":
            while True:
                self.writing.write(b"x" * 65536)
        if manner == "speaks HTTP":
            self.writing.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            self.writing.flush()
        if manner == "promises":
            self.writing.write(b'{"type": "info", "payload_length": 1099511627776}\n')
            self.writing.flush()
        while (event := self.receive()) is not None:
            self.answer(*event)

    def answer(self, type, data, payload):
        if manner == "hangs":
            return
        if type == "describe":
            self.send("info", self.info())
            if manner == "hangs later":
                self.reading.read()
        elif type in ("detect", "transcribe"):
            self.names = data["names"] if type == "detect" else None
            self.loud, self.quiet, self.is_over, self.is_heard = 0, 0, False, False
        elif type.startswith("audio-") and self.is_over:
            return
        elif type == "audio-chunk":
            assert (data["rate"], data["width"], data["channels"]) == (16000, 2, 1)
            for (sample,) in struct.iter_unpack("<H", payload):
                self.digest = (self.digest * 31 + sample) & 0xFFFFFFFF
                is_loud = 1000 < sample < 64536
                self.loud += is_loud
                self.quiet = 0 if is_loud else self.quiet + 1
            if self.names and self.loud > 4000 and not self.is_heard:
                self.detect(data["timestamp"])
            if manner.startswith("ends early") and self.loud and self.quiet > 8000:
                self.is_over = True
                self.send("transcript", {"text": str(self.loud)})
            self.frames += len(payload) // 2
            self.pieces += 1
            if manner == "streams":
                self.send("transcript-start") if self.pieces == 1 else None
                self.send("transcript-chunk", {"text": f" {self.pieces}"})
        elif type == "audio-stop" and self.names:
            # Some engines do it after a detection too.
            if not self.is_heard or manner == "reports too much":
                self.send("not-detected")
        elif type == "audio-stop":
            self.transcribe()
        elif type == "synthesize":
            self.speak(data["text"], data.get("voice") or {})

    def info(self):
        def program(entries, **flags):
            source = {"name": "", "url": ""}
            models = [dict(entry, attribution=source, installed=True) for entry in entries]
            return [dict(flags, name="fake", attribution=source, installed=True, models=models, voices=models)]

        if manner == "describes nothing":
            return {"asr": [{"installed": True}, 7], "tts": None}
        if manner == "lists too much":
            return {"tts": program([{"name": "missing"}])}
        models = [{"name": "small", "languages": ["en"]}, {"name": "large", "languages": ["en_US", "de_DE"]}]
        words = [{"name": "okay_nabu_v0.1", "phrase": "okay nabu"}, {"name": "hey_jarvis"}, {"name": "mine"}]
        return {
            "asr": program(
                models,
                supports_transcript_streaming=manner == "streams",
                requires_external_vad=manner != "ends early",
            ),
            "tts": program(models),
            "wake": program(words),
        }

    def detect(self, time):
        self.is_heard = True
        if manner == "lies":
            self.send("detection", {"name": 7})
            return
        if manner == "reports too much":
            self.send("detection", {"name": "alexa", "timestamp": time})
        self.send("detection", {"name": self.names[0], "timestamp": time})

    def transcribe(self):
        if manner == "fails":
            self.send("error", {"text": "out of memory", "code": "MemoryError"})
            return
        if manner == "floods":
            while True:
                self.send("weather", {"text": "sunny"})
        if manner == "breaks off":
            self.writing.write(b'{"type": "transcript", "data_length": 100}\n{"te')
            self.writing.flush()
            raise Crash
        if manner == "lies":
            self.send("transcript", {"txt": "?"})
            return
        if manner == "dies slowly":
            time.sleep(0.4)
            raise Crash
        text = f" {self.frames} {self.digest}"
        if manner.startswith("ends early"):
            text = str(self.loud or "")
        if manner == "listens":
            text = "good morning" if self.loud > 1000 else ""
        self.send("transcript", {"text": text})
        self.loud = 0
        self.digest, self.frames, self.pieces = 0, 0, 0
        if manner == "ends after an answer":
            raise EOFError

    def speak(self, text, voice):
        if voice.get("name") == "missing":
            self.send("error", {"text": "missing", "code": "VoiceNotFoundError"})
            return
        width, channels, rate = 2, 1, RATE
        if manner == "lies":
            rate = 0
        if manner == "has stereo of 24 bit":
            width, channels = 3, 2
        form = {"rate": rate, "width": width, "channels": channels, "timestamp": None}
        self.send("audio-start", form)
        if manner == "changes the format":
            form = dict(form, width=4)
        samples = [50 * place % 30000 for place in range(len(text)) for _ in range(300)]
        if manner == "varies":
            samples = [40 * ord(character) for character in text for _ in range(self.pace)]
        if width == 3:
            sound = b"".join(b"\0" + struct.pack("<h", sample) for sample in samples for _ in "LR")
        else:
            sound = struct.pack(f"<{len(samples)}h", *samples)
        # A size that divides no frame.
        for start in range(0, len(sound), 1001):
            self.send("audio-chunk", form, sound[start : start + 1001])
        while manner == "never ends":
            self.send("audio-chunk", form, bytes(100000))
        self.send("audio-stop")


def serve(connection):
    try:
        stream = connection.makefile("rwb")
        Engine(stream, stream).run()
    except Crash:
        # With a reset instead of an orderly end.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    except (OSError, EOFError):
        pass
    # `close` alone would wait for the file over the connection.
    os.close(connection.detach())


if "--stdio" in sys.argv:
    try:
        Engine(sys.stdin.buffer, sys.stdout.buffer).run()
    except Crash:
        os.kill(os.getpid(), signal.SIGKILL)
    except EOFError:
        pass
    sys.exit(0)

path = option("--unix")
if path:
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
else:
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", int(option("--port") or 0)))
listener.listen(64)


def accept():
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=serve, args=(connection,), daemon=True).start()


threading.Thread(target=accept, daemon=True).start()
print("port", 0 if path else listener.getsockname()[1], flush=True)
sys.stdin.read()
os._exit(0)
