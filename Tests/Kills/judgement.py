"""Judges a history against everything that anybody was told in any life of the daemon."""

import collections
import itertools
import json

TERMINAL = ["applied", "unchanged", "delivered", "ignored", "rejected", "superseded", "abandoned"]


class Final:
    """What the last daemon says: all records, all receipts, the session, and its own judgement."""

    def __init__(self):
        self.records, self.receipts, self.session, self.check = {}, {}, None, None
        # Whether the host is another one since it was reset; then its ID, and its windows.
        self.is_new, self.host, self.scenes = False, None, []

    async def look(self, memory, line):
        """Finds out which host has gone on."""
        status, _ = await line.call("Manager.GetStatus")
        scenes, _ = await line.call("Scenes.List")
        self.host, self.scenes = status["host"], [scene["id"] for scene in scenes["scenes"]]
        known = {json.loads(text)["host"] for text in memory.records.values()}
        self.is_new = bool(known) and self.host not in known
        if memory.reset_to and self.host != memory.reset_to:
            memory.fault(f"the host was reset to {memory.reset_to}, as was told, and {self.host} goes on")

    def restarts(self):
        """How many attempts each restart has begun again."""
        texts = (text for text in self.records.values() if b'"host.restarted"' in text[:100])
        return [len(json.loads(text)["again"]) for text in texts]


def judge(memory, final):
    """What is wrong, each in a sentence; nothing if all holds."""
    faults = list(memory.faults)
    records = [json.loads(text) for _, text in sorted(final.records.items())]
    is_kept = memory.is_kept
    if is_kept:
        faults += judge_records_told(memory, final)
        faults += judge_receipts_told(memory, final)
    faults += judge_whole(records)
    admitted, ends = events_of(records)
    faults += judge_tickets(memory, admitted, is_kept)
    faults += judge_ends(final, admitted, ends)
    if is_kept:
        faults += judge_catches(memory, final, admitted, ends)
    faults += judge_session(memory, final, records, ends, is_kept)
    if is_kept:
        faults += judge_scenes_told(memory, records)
    return faults + judge_check(memory, final)


def judge_check(memory, final):
    """What the daemon's own checker finds. What the app's own code makes of an event is not in its manifest."""
    broken = [verdict for verdict in final.check["verdicts"] if verdict["verdict"] != "holds"]
    judged = [verdict for verdict in broken if verdict["name"] != "agreement" or not memory.app.has_code]
    if judged or not final.check["verdicts"]:
        return [f"the checker says {final.check['conclusion']}: {json.dumps(broken)[:1500]}"]
    return []


def judge_reset(memory, final):
    """What is wrong with a host that has taken the place of the one whose history the clients know: it is as one that begins."""
    faults = list(memory.faults)
    records = [json.loads(text) for _, text in sorted(final.records.items())]
    if not records or records[0]["kind"] != "host.started" or records[0]["host"] != final.host:
        faults.append(f"the records of {final.host} begin with {records[:1]}")
    if final.scenes or any(record["kind"] in ("event.admitted", "scene.connected") for record in records):
        faults.append(f"the new host {final.host} has windows or events of the old one: {final.scenes}")
    if final.receipts:
        faults.append(f"the new host {final.host} knows events of the old one: {list(final.receipts)[:3]}")
    if final.session["revision"] != 0 or final.session.get("user"):
        faults.append(f"the new host {final.host} begins with the session {final.session}")
    return faults + judge_check(memory, final)


def judge_records_told(memory, final):
    faults = []
    for index, text in sorted(memory.records.items()):
        found = final.records.get(index)
        if found != text:
            now = found.decode()[:400] if found else "not there"
            life = memory.followed[index]
            faults.append(f"record {index}, told in life {life} as {text.decode()[:400]}, is {now}")
            if len(faults) == 3:
                break
    return faults


def judge_receipts_told(memory, final):
    """Each receipt that anybody has got is that of the same admission, and what had ended stays so."""
    faults = []
    for event in memory.events.values():
        if event.acknowledged is None:
            continue
        now = final.receipts.get(event.id)
        if now is None:
            faults.append(f"{event.id}, acknowledged in life {event.acknowledged} as {event.receipts[0][1]}, is unknown")
            continue
        for life, receipt in event.receipts:
            has_ended = receipt["outcome"] in TERMINAL
            members = ["scene", "ticket"] + (["outcome", "reason"] if has_ended else [])
            if any(receipt[member] != now.get(member) for member in members):
                faults.append(f"{event.id}, told in life {life} as {receipt}, is {now}")
                break
    return faults[:5]


def judge_whole(records):
    faults = []
    if records[0]["kind"] != "host.started":
        faults.append(f"the first record is {records[0]['kind']}, not host.started")
    if [record["index"] for record in records] != list(range(1, len(records) + 1)):
        faults.append("the records have gaps")
    if len({record["host"] for record in records}) > 1:
        faults.append("the host has several IDs")
    for before, after in itertools.pairwise(records):
        if after["monotonic"] < before["monotonic"]:
            faults.append(f"time goes back at record {after['index']}")
            break
    return faults


def events_of(records):
    """The records of admissions, and of terminal outcomes, by the events' IDs."""
    admitted, ends = collections.defaultdict(list), collections.defaultdict(list)
    for record in records:
        kind, event = record["kind"], record.get("event")
        if kind == "event.admitted":
            admitted[event].append(record)
        elif kind == "dispatch.ended" and record["outcome"] != "gated":
            ends[event].append((record["outcome"], record["index"]))
        elif kind in ("gate.superseded", "gate.abandoned"):
            ends[event].append((kind.removeprefix("gate."), record["index"]))
    return admitted, ends


def judge_tickets(memory, admitted, is_kept):
    """Each event was admitted once; a scene's tickets have no gap; and those of a client are in its order of sending."""
    faults = []
    scenes = collections.defaultdict(list)
    for event, found in admitted.items():
        if len(found) > 1:
            faults.append(f"{event} was admitted by the records {[record['index'] for record in found]}")
        for record in found:
            scenes[record.get("scene")].append((record["index"], record["ticket"]))
    for scene, tickets in scenes.items():
        if [ticket for _, ticket in sorted(tickets)] != list(range(1, len(tickets) + 1)):
            faults.append(f"the tickets of {scene} have gaps or are not in order")
    for event in memory.events.values():
        found = admitted.get(event.id, [])
        if event.receipts and is_kept and (not found or found[0]["ticket"] != event.receipts[0][1]["ticket"]):
            faults.append(f"{event.id} was acknowledged as {event.receipts[0][1]} and admitted by {found}")
    # Otherwise what is lost and sent again has a place after what was sent later.
    for client in memory.clients if is_kept else []:
        last = {}
        for sent in client.sent:
            found = [record for event in sent.events for record in admitted.get(event.id, [])]
            if found and len(found) < len(sent.events):
                faults.append(f"of the set {sent.id} only {[record['event'] for record in found]} were admitted")
            # What was not taken for a while was sent again after what was sent later.
            if sent.is_refused_for_now:
                continue
            # The app itself takes what is silent where no window could.
            if not sent.scene or not found or found[0].get("scene") != sent.scene:
                continue
            tickets = [record["ticket"] for record in found]
            before, other = last.get(sent.scene, (0, None))
            if min(tickets) <= before:
                faults.append(f"{sent.id} was sent to {sent.scene} after {other}, and has {tickets}, not after {before}")
            last[sent.scene] = max(tickets), sent.id
    return faults[:8]


def judge_ends(final, admitted, ends):
    """Each event has one terminal outcome, or waits for a gate."""
    faults = []
    for event, found in ends.items():
        if len(found) > 1:
            faults.append(f"{event} has several terminal outcomes: {found}")
    for event in admitted:
        receipt = final.receipts.get(event)
        if not receipt:
            continue
        recorded = ends[event][0][0] if ends.get(event) else "gated"
        if receipt["outcome"] != recorded:
            faults.append(f"the receipt of {event} says {receipt['outcome']}, the records {recorded}")
    return faults[:5]


def judge_catches(memory, final, admitted, ends):
    """What a hold had caught was admitted as was told, and is done, also if the daemon ended before it was released."""
    faults = []
    for catch in memory.catches:
        if catch.event is None:
            continue
        found = [(record.get("scene"), record["ticket"]) for record in admitted.get(catch.event, [])]
        if found != [(catch.scene, catch.ticket)]:
            faults.append(
                f"{catch.event}, caught in life {catch.life} in {catch.scene} as {catch.ticket}, was admitted as {found}"
            )
        elif not ends.get(catch.event) and final.receipts.get(catch.event, {}).get("outcome") != "gated":
            faults.append(f"{catch.event}, caught in life {catch.life}, is not done: {final.receipts.get(catch.event)}")
    return faults[:5]


def judge_session(memory, final, records, ends, is_kept):
    """Follows the session by the records: every commit, what counts, and what clients have read of it."""
    faults = []
    facts, revision, epoch, user = {}, 0, 0, None
    states, commits = {}, collections.Counter()
    for record in records:
        if record["kind"] == "host.started" or record["kind"] == "host.restarted" and not states:
            facts = dict(record["facts"])
            states[record["revision"]] = (0, None, dict(facts))
        elif record["kind"] == "host.restarted":
            if record["facts"] != facts or record.get("user") != user or record["revision"] != revision:
                faults.append(f"the restart at record {record['index']} has another session than the commits before")
        elif record["kind"] == "session.committed":
            if record["revision"] != revision + 1:
                faults.append(f"record {record['index']} commits revision {record['revision']} after {revision}")
            before = dict(facts)
            for name, value in record["facts"].items():
                if value is None:
                    facts.pop(name, None)
                else:
                    facts[name] = value
            has_left = record["epoch"] != epoch
            revision, epoch, user = record["revision"], record["epoch"], record["user"]
            states[revision] = (epoch, user, dict(facts))
            event = record.get("event")
            sent = memory.events[event].sent if event in memory.events else None
            counted = sent.parameters if sent and memory.app.counts(sent.method, sent.parameters) else None
            commits[event] += 1
            if problem := memory.app.judge_commit(counted, before, facts, has_left):
                faults.append(f"record {record['index']}, commit of {event}: {problem}")
    for sent in {event.sent for event in memory.events.values()}:
        if not memory.app.counts(sent.method, sent.parameters):
            continue
        outcome = ends[sent.id][0][0] if ends.get(sent.id) else None
        is_done = outcome in ("applied", "unchanged", "delivered")
        if commits[sent.id] > 1 or is_done and commits[sent.id] != 1:
            faults.append(f"{sent.id}, which counts once and is {outcome}, was committed {commits[sent.id]} times")
    told = memory.sessions if is_kept else []
    for life, session in [*told, ("the last", final.session)]:
        found = states.get(session["revision"])
        if found != (session["epoch"], session.get("user"), session["facts"]):
            faults.append(f"the session told in life {life}, {session}, is at that revision {found}")
    return faults[:8]


def judge_scenes_told(memory, records):
    """What was told of a scene had happened in the history."""
    admitted, settled = collections.Counter(), collections.defaultdict(set)
    revisions = max((record.get("revision", 0) for record in records), default=0)
    for record in records:
        if record["kind"] == "event.admitted":
            admitted[record.get("scene")] += 1
        elif record["kind"] == "dispatch.ended":
            # After a restart the first attempt that ends need not be the first.
            settled[record.get("scene")].add(record["ticket"])
    faults = []
    for life, scene in memory.scenes:
        name = scene["id"]
        if scene["admitted"] > admitted[name] or scene["settled"] > len(settled[name]) or scene["revision"] > revisions:
            faults.append(
                f"of {name} was told in life {life} {scene}; {admitted[name]} are admitted, {len(settled[name])} settled"
            )
    return faults[:5]
