"""An engine for wake words: openWakeWord's own models, behind the library of the Wyoming protocol.

  wyoming_wake.py --uri URI

The published server of openWakeWord is this one with caches; its current version is not a package.
"""
import argparse
import asyncio

from pyopen_wakeword import Model, OpenWakeWord, OpenWakeWordFeatures
from wyoming.audio import AudioChunk, AudioStart, AudioStop
from wyoming.info import Attribution, Describe, Info, WakeModel, WakeProgram
from wyoming.server import AsyncEventHandler, AsyncServer
from wyoming.wake import Detect, Detection, NotDetected

SOURCE = Attribution(name="dscripka", url="https://github.com/dscripka/openWakeWord")
PROGRAM = {"attribution": SOURCE, "installed": True, "description": None, "version": None}
INFO = Info(
    wake=[
        WakeProgram(
            name="openwakeword",
            models=[
                WakeModel(name=model.value, phrase=model.value.replace("_", " "), languages=["en"], **PROGRAM)
                for model in Model
            ],
            **PROGRAM,
        )
    ]
)


class Handler(AsyncEventHandler):
    names = [model.value for model in Model]

    async def handle_event(self, event):
        if Describe.is_type(event.type):
            await self.write_event(INFO.event())
        elif Detect.is_type(event.type):
            self.names = Detect.from_event(event).names or self.names
        elif AudioStart.is_type(event.type):
            self.features = OpenWakeWordFeatures.from_builtin()
            self.words = [OpenWakeWord.from_builtin(Model(name)) for name in self.names]
            self.heard = set()
        elif AudioChunk.is_type(event.type):
            chunk = AudioChunk.from_event(event)
            for features in self.features.process_streaming(chunk.audio):
                for word in self.words:
                    # All of them, because each keeps its own history.
                    if max(word.process_streaming(features), default=0) > 0.5 and word.id not in self.heard:
                        self.heard.add(word.id)
                        await self.write_event(Detection(name=word.id, timestamp=chunk.timestamp).event())
        elif AudioStop.is_type(event.type) and not self.heard:
            await self.write_event(NotDetected().event())
        return True


parser = argparse.ArgumentParser()
parser.add_argument("--uri", required=True)
uri = parser.parse_args().uri
asyncio.run(AsyncServer.from_uri(uri).run(Handler))
