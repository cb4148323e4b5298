"""A hostile crowd: hundreds of clients of every role misbehave at once, while clients of another user must not notice.

Usage: crowd.py [--only ATTACK,…] [--seconds N] [--seed N] [--each] [--short] [--again] [--socket PATH]

It starts the daemon (--daemon, --scenectl) with users of its own, lets the good clients work alone, then under attack, and then
compares what the daemon holds with what it held before. --each runs every attack by itself, for a third of the time, after all of
them together, and keeps the results under --results, so that a run that was cut short goes on where it stopped. --short judges by
counts and by processor time only, for a machine that does other things too. --socket takes a daemon that runs already, with what
--print-config prints.

Exit status: 0 nobody was harmed, 1 somebody was, 2 usage, 77 it cannot run here.
"""

import argparse
import collections
import contextlib
import json
import os
import pathlib
import random
import re
import shutil
import signal
import sys
import tempfile
import time

from attacks import ATTACKS, LAWFUL, Member
from daemon import GOOD, HOSTILE, Daemon, configuration, measure_stretch, roles_of, settle, warm_up
from good import good_client, judge_good, judge_history, keeper
from judgement import checks, report, row, write_page
from processes import Group, Told, spawn, until_told
from wire import Gone, methods

GOOD_CLIENTS = 4


def run_round(options, name, attacks, seconds, folder):
    """Lets these attacks at a new daemon. Returns everything that was seen."""
    daemon = Daemon(options, folder)
    seen = {"round": name, "attacks": {}}
    children, group = [], Group()
    try:
        described = methods(daemon.control)
        users = [HOSTILE + number for number in range(len(options.roles) + 1)]
        records = open(folder / "records", "wb", buffering=0)
        keeping = spawn(lambda: keeper(daemon.path, records), GOOD)
        children.append(keeping)
        windows = warm_up(daemon, len(users))
        seen["calibration"] = measure_stretch(daemon)
        # Its threads for what takes long begin with their first use, and stay.
        daemon.call("Records.Check")
        seen["before"] = before = daemon.held()

        good = []
        for number in range(GOOD_CLIENTS):
            out = open(folder / f"good-{number}", "w+")
            good.append((spawn(lambda number=number: good_client(daemon.path, number), GOOD, out), out))
        children += [child for child, _ in good]
        time.sleep(1)
        alone = time.monotonic()
        time.sleep(seconds / 3)
        crowding = time.monotonic()

        members, (gate, opener) = [], os.pipe()
        for attack in attacks:
            for user in users:
                out = open(folder / f"{attack}-{user}", "w+")

                def work(attack=attack, user=user):
                    # All begin when the last of them is there.
                    os.close(opener)
                    os.read(gate, 1)
                    seed = f"{options.seed} {attack} {user}"
                    member = Member(daemon.path, described, windows, seed, time.monotonic() + seconds)
                    with contextlib.suppress(Told):
                        signal.signal(signal.SIGTERM, until_told)
                        member.work(ATTACKS[attack])
                    return member.tally

                child = spawn(work, user, out, group)
                # A process leads its group before the next one joins it.
                if not group.leader:
                    group.leader = child
                    with contextlib.suppress(OSError):
                        os.setpgid(child, child)
                members.append((child, attack, out))
        time.sleep(0.2)
        began = time.monotonic()
        group.began, until = began, began + seconds
        os.close(opener)
        os.close(gate)
        left = {child for child, _, _ in members}
        while left and time.monotonic() < until + 3:
            group.pace()
            time.sleep(0.05)
            left = {child for child in left if not os.waitpid(child, os.WNOHANG)[0]}
        stuck = None
        try:
            seen["during"] = daemon.held()
        except OSError as error:
            stuck = error
        if group.stopped:
            group.signal(signal.SIGCONT)
        group.signal(signal.SIGTERM)
        deadline = time.monotonic() + 3
        while left and time.monotonic() < deadline:
            time.sleep(0.05)
            left = {child for child in left if not os.waitpid(child, os.WNOHANG)[0]}
        group.end()
        for child in left:
            os.waitpid(child, 0)
        ended = time.monotonic()
        for _, attack, out in members:
            out.seek(0)
            tally = collections.Counter(seen["attacks"].get(attack, {}))
            text = out.read()
            tally.update(json.loads(text) if text else {"killed at the end": 1})
            seen["attacks"][attack] = dict(tally)
            out.close()

        time.sleep(0.5)
        clients = []
        for child, out in good:
            os.kill(child, signal.SIGTERM)
            os.waitpid(child, 0)
            children.remove(child)
            out.seek(0)
            clients.append(json.loads(out.read()))
        seen["good"] = judge_good(clients, (alone, crowding), (began, ended))
        if stuck:
            raise stuck
        seen["after"] = settle(daemon, before, windows[0])
        seen["stretches"] = daemon.stretches()
        seen["refused"] = {
            " ".join(re.findall(r'="(.*?)"', key)): int(value)
            for key, value in daemon.gauges().items()
            if re.match(r"scened_(incidents|refusals)_total", key) and value
        }
        newest = daemon.call("Manager.GetStatus")["records"]
        os.kill(keeping, signal.SIGTERM)
        os.waitpid(keeping, 0)
        children.remove(keeping)
        seen["history"] = judge_history(options, folder, clients, newest)
    except (Gone, OSError, RuntimeError) as error:
        seen["broken"] = f"the daemon does not serve its own user any more: {error!r}"
    finally:
        group.end()
        for child in children:
            with contextlib.suppress(OSError):
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
        seen["status"], seen["log"] = daemon.stop()
    return seen


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--daemon", default=shutil.which("scened"))
    parser.add_argument("--scenectl", default=shutil.which("scenectl"))
    parser.add_argument("--socket")
    parser.add_argument("--only", help="attacks, with commas: " + ", ".join(ATTACKS))
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--seed", help="by default that of the results kept, or else a random one")
    parser.add_argument("--each", action="store_true")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--page", type=pathlib.Path, help="the page whose table the results are written to")
    parser.add_argument("--print-config", action="store_true")
    parser.add_argument("--results", type=pathlib.Path, default=pathlib.Path(".build/hostile"))
    options = parser.parse_args()
    if not options.daemon or not options.scenectl:
        parser.error("--daemon and --scenectl: expected the paths of the two programs")
    options.roles = roles_of(options.daemon)
    if options.print_config:
        print(configuration(options.roles), end="")
        return 0
    if os.geteuid() != 0:
        print("crowd: skipped: other users' clients need root")
        return 77
    options.seconds = options.seconds or (4 if options.short else 60)
    attacks = options.only.split(",") if options.only else list(ATTACKS)
    if unknown := set(attacks) - set(ATTACKS):
        parser.error(f"--only: no attack is named {', '.join(sorted(unknown))}; expected some of {', '.join(ATTACKS)}")
    rounds = [("all of them at once" if len(attacks) > 1 else attacks[0], attacks, options.seconds)]
    if options.each and len(attacks) > 1:
        rounds += [(attack, [attack], options.seconds / 3) for attack in attacks]
    program = os.stat(options.daemon)
    if not options.seed:
        kept = [] if options.again else [json.loads(file.read_text()) for file in options.results.glob("*.json")]
        options.seed = kept[0]["seed"] if kept else str(random.SystemRandom().randrange(10**6))
    harmed, rows = [], []
    print(f"crowd: seed {options.seed}; {', '.join(LAWFUL)} are left out; limited by {limited_by()}", flush=True)
    for name, chosen, seconds in rounds:
        key = f"{name} {seconds} {options.seed} {program.st_mtime_ns} {','.join(chosen)}"
        file = options.results / (re.sub(r"\W+", "-", name) + ".json")
        kept = json.loads(file.read_text()) if options.each and file.exists() else {}
        if options.again or kept.get("key") != key:
            with tempfile.TemporaryDirectory(prefix="scened-crowd-") as folder:
                os.chmod(folder, 0o755)
                kept = run_round(options, name, chosen, seconds, pathlib.Path(folder)) | {"key": key, "seed": options.seed}
            if options.each:
                options.results.mkdir(parents=True, exist_ok=True)
                file.write_text(json.dumps(kept, indent=1))
        print(report(kept, not options.short) + "\n", flush=True)
        rows.append(row(kept, not options.short))
        broken = [what for what, is_kept, _ in checks(kept, not options.short) if not is_kept]
        if broken:
            harmed.append(f"{name}: {', '.join(broken)}")
    if options.page:
        write_page(options.page, rows)
    print("crowd: nobody was harmed" if not harmed else "crowd: HARM\n  " + "\n  ".join(harmed))
    return 1 if harmed else 0


def limited_by():
    group = Group()
    try:
        return group.means
    finally:
        group.end()


if __name__ == "__main__":
    sys.exit(main())
