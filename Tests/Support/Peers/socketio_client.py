"""python-socketio's own client, to compare with. Arguments: the port of socketio_server.py, and how many texts
it requests, each after the one before. Prints the microseconds of a round trip.
"""

import asyncio
import sys
import time

import socketio

port, count = int(sys.argv[1]), int(sys.argv[2])


async def main():
    client = socketio.AsyncClient()
    await client.connect(f"http://127.0.0.1:{port}", transports=["websocket"])
    await client.call("llm_generate", {"prompt": "warm"})
    start = time.perf_counter()
    for number in range(count):
        await client.call("llm_generate", {"prompt": str(number)})
    print((time.perf_counter() - start) / count * 1e6)
    await client.disconnect()


asyncio.run(main())
