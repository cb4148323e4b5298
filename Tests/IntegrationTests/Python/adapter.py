"""An adapter outside the daemon, written with the varlink package.

Usage: adapter.py SOCKET NAME PRIORITY TIMEOUT BEHAVIOUR. Takes the activities com.example.python. BEHAVIOUR is serve,
crash:N (ends without a word at the Nth event), sleep (never answers) or nonsense (answers what is no answer).
"""

import os
import sys
import time

import varlink

socket, name, priority, timeout, behaviour = sys.argv[1:6]
client = varlink.Client.new_with_address("unix:" + socket)
events = client.open("io.scened.Adapters").Register(
    name=name, kinds=["activity"], priority=int(priority), timeoutMilliseconds=int(timeout), _more=True
)
adapters = client.open("io.scened.Adapters")
registration = next(events)["registration"]
print("registered", flush=True)

for number, asked in enumerate(events, start=1):
    if asked.get("request") is None:
        break
    answer = {"registration": registration, "request": asked["request"]}
    if behaviour == f"crash:{number}":
        os._exit(1)
    if behaviour == "sleep":
        time.sleep(3600)
    if behaviour == "nonsense":
        try:
            adapters.Answer(**answer, url="nowhere", declined="or not")
        except varlink.VarlinkError as error:
            assert error.error() == "io.scened.Adapters.InvalidAnswer", error
        continue
    activity = asked["event"]
    if activity["activityType"] != "com.example.python":
        adapters.Answer(**answer, declined="not mine")
    elif behaviour.startswith("crash"):
        adapters.Answer(**answer, declined="before the crash")
    else:
        product = activity["userInfo"]["product"]
        adapters.Answer(**answer, destination={"id": "product", "parameters": {"id": product}})
