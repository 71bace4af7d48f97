"""The endpointer of PocketSphinx 5 on recordings: for each file named in a list, a line with the times at
which it decided that somebody had finished speaking.

usage: endpointer.py LIST [WINDOW]
"""

import sys
import wave

from pocketsphinx import Endpointer


def decisions(path, window):
    endpointer = Endpointer(window=window)
    times = []
    with wave.open(path) as recording:
        size = endpointer.frame_bytes // 2
        position = 0
        while True:
            frame = recording.readframes(size)
            if len(frame) < endpointer.frame_bytes:
                break
            position += size
            was_in_speech = endpointer.in_speech
            endpointer.process(frame)
            if was_in_speech and not endpointer.in_speech:
                times.append(position / recording.getframerate())
    return times


window = float(sys.argv[2]) if len(sys.argv) > 2 else 0.3
with open(sys.argv[1]) as names:
    for name in names.read().split("\n"):
        print(name, *decisions(name, window), sep="\t")
