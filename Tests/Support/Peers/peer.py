"""What all peers share: they report on standard output, take commands on standard input, and end with it."""

import asyncio
import os
import sys
import threading


def report(*words):
    print(*words, flush=True)


def commands():
    """A queue of the lines that the test sends. Their end ends the process."""
    queue = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def read():
        for line in sys.stdin:
            loop.call_soon_threadsafe(queue.put_nowait, line.strip())
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    return queue
