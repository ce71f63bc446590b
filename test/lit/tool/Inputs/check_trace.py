# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks a trace: that it is JSON, that what is on a track nests, that pairs of
events are complete, that processes and threads have names, and that certain
events are there.

    check_trace.py TRACE.json [NAME[@PLACE][=COUNT]...]

Prints "ok", or what is wrong.
"""
import collections
import json
import sys


def check_nesting(events):
    tracks = collections.defaultdict(list)
    for event in events:
        assert event["dur"] >= 0 and event["ts"] >= 0, event
        tracks[event["pid"], event["tid"]].append(event)
    for track in tracks.values():
        track.sort(key=lambda e: (e["ts"], -e["dur"]))
        ends = []
        for event in track:
            # Microseconds of three decimals; sums of them are not exact.
            start = round(event["ts"] * 1000)
            end = start + round(event["dur"] * 1000)
            while ends and ends[-1] <= start:
                ends.pop()
            assert not ends or end <= ends[-1], f"does not nest: {event}"
            ends.append(end)


def check_pairs(begins, ends):
    assert len({e["id"] for e in begins}) == len(begins)
    left = {(e["id"], e["name"], e["cat"]): e for e in begins}
    for event in ends:
        begin = left.pop((event["id"], event["name"], event["cat"]))
        assert begin["ts"] <= event["ts"], event
    assert not left, left


def check_names(events, names):
    processes = {e["pid"] for e in names if e["name"] == "process_name"}
    threads = {(e["pid"], e["tid"]) for e in names if e["name"] == "thread_name"}
    for event in events:
        assert event["pid"] in processes, event
        assert (event["pid"], event["tid"]) in threads, event


def matches(event, name, place):
    location = event["args"].get("location", "")
    return event["name"] == name and location.endswith(place)


def check_expected(events, expected):
    for text in expected:
        what, _, count = text.partition("=")
        name, _, place = what.partition("@")
        found = sum(matches(e, name, place) for e in events)
        assert found == int(count or 1), f"{found} events of {what}"


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        trace = json.load(file)
    phases = collections.defaultdict(list)
    for event in trace["traceEvents"]:
        phases[event["ph"]].append(event)
    assert set(phases) <= {"X", "b", "e", "M"}, set(phases)
    check_nesting(phases["X"])
    check_pairs(phases["b"], phases["e"])
    check_names(phases["X"] + phases["b"] + phases["e"], phases["M"])
    check_expected(phases["X"] + phases["b"], sys.argv[2:])
    print("ok")


main()
