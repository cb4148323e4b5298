#!/usr/bin/python3
"""Shares a search among the nodes of a real Slurm cluster, kills a node half-way, and compares what is added up with what one machine finds.

The nodes are network namespaces of this machine with a slurmd each, which share a folder. Needs root, and Debian's slurmctld, slurmd,
slurm-client, munge, iproute2 and parallel.

    cluster.py --scenectl PROGRAM [--nodes 4] [--shards 12] [-- SEARCH…]

SEARCH is what follows `scenectl race`, such as `two-buyers --prove`, which is the default."""

import argparse
import contextlib
import json
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

BRIDGE = "scened-slurm"
NETWORK = "10.213.77"
# How long anything may take that takes seconds.
PATIENCE = 600


def run(*words: str, **options) -> str:
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
    if done.returncode != 0:
        raise SystemExit(f"cluster: {' '.join(words)}: {done.stderr or done.stdout}")
    return done.stdout


def until(what: str, holds, patience: float = PATIENCE) -> None:
    end = time.monotonic() + patience
    while not holds():
        if time.monotonic() > end:
            raise SystemExit(f"cluster: {what}: not after {patience} s")
        time.sleep(0.1)


def state(process: int) -> str:
    with open(f"/proc/{process}/stat") as file:
        return file.read().rsplit(")", 1)[1].split()[0]


def is_scenectl(process: int) -> bool:
    return os.path.basename(os.readlink(f"/proc/{process}/exe")) == "scenectl"


class Cluster:
    """A controller in this machine's namespace, and nodes in namespaces of their own."""

    def __init__(self, folder: str, nodes: int):
        self.folder = folder
        self.nodes = {f"node{number}": f"{NETWORK}.{10 + number}" for number in range(1, nodes + 1)}
        self.daemons: list[subprocess.Popen] = []
        self.environment = {**os.environ, "SLURM_CONF": f"{folder}/slurm.conf"}

    def __enter__(self) -> "Cluster":
        try:
            self.begin()
        except BaseException:
            self.__exit__()
            raise
        return self

    def begin(self) -> None:
        # What a run that was killed has left.
        self.disconnect()
        self.connect()
        for name in ["state", "log", *(f"spool-{node}" for node in self.nodes)]:
            os.mkdir(f"{self.folder}/{name}")
        self.write_key()
        self.write_configuration()
        self.start(
            "munged", "munged", "--foreground", "--force", f"--key-file={self.folder}/munge.key", f"--socket={self.folder}/munge",
            f"--pid-file={self.folder}/munged.pid", f"--log-file={self.folder}/log/munge", f"--seed-file={self.folder}/seed",
        )
        until("munged", lambda: os.path.exists(f"{self.folder}/munge"))
        self.start("slurmctld", "slurmctld", "-D", "-i")
        for name in self.nodes:
            self.start_node(name)
        until("all nodes idle", lambda: self.states() == {name: "idle" for name in self.nodes}, 60)

    def __exit__(self, *_) -> None:
        for daemon in reversed(self.daemons):
            daemon.kill()
        self.disconnect()
        for daemon in self.daemons:
            daemon.wait()

    def disconnect(self) -> None:
        for name in self.nodes:
            self.kill(name)
            subprocess.run(["ip", "netns", "delete", self.space(name)], stderr=subprocess.DEVNULL)
        subprocess.run(["ip", "link", "delete", BRIDGE], stderr=subprocess.DEVNULL)

    def space(self, node: str) -> str:
        return f"{BRIDGE}-{node}"

    def connect(self) -> None:
        run("ip", "link", "add", BRIDGE, "type", "bridge")
        run("ip", "address", "add", f"{NETWORK}.1/24", "dev", BRIDGE)
        run("ip", "link", "set", BRIDGE, "up")
        for number, (name, address) in enumerate(self.nodes.items()):
            space, ours = self.space(name), f"scened-n{number}"
            run("ip", "netns", "add", space)
            run("ip", "link", "add", ours, "type", "veth", "peer", "name", "eth0", "netns", space)
            run("ip", "link", "set", ours, "master", BRIDGE, "up")
            run("ip", "-n", space, "address", "add", f"{address}/24", "dev", "eth0")
            run("ip", "-n", space, "link", "set", "eth0", "up")
            run("ip", "-n", space, "link", "set", "lo", "up")

    def write_key(self) -> None:
        path = f"{self.folder}/munge.key"
        with open(path, "wb") as file:
            file.write(os.urandom(1024))
        os.chmod(path, 0o400)
        shutil.chown(path, "root")

    def write_configuration(self) -> None:
        nodes = [
            f"NodeName={name} NodeAddr={address} NodeHostname={name} CPUs=1 State=UNKNOWN"
            for name, address in self.nodes.items()
        ]
        text = f"""ClusterName=scened
SlurmctldHost={os.uname().nodename}({NETWORK}.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={self.folder}/munge
StateSaveLocation={self.folder}/state
SlurmdSpoolDir={self.folder}/spool-%n
SlurmctldPidFile={self.folder}/slurmctld.pid
SlurmdPidFile={self.folder}/slurmd-%n.pid
SlurmctldLogFile={self.folder}/log/slurmctld
SlurmdLogFile={self.folder}/log/%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=2,batch_sched_delay=1
ReturnToService=2
SlurmdTimeout=3
MessageTimeout=5
UnkillableStepTimeout=30
JobRequeue=1
{chr(10).join(nodes)}
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
        with open(f"{self.folder}/slurm.conf", "w") as file:
            file.write(text)
        with open(f"{self.folder}/hosts", "w") as file:
            file.write("".join(f"{address} {name}\n" for name, address in [("localhost", "127.0.0.1"), *self.nodes.items()]))
        with open(f"{self.folder}/cgroup.conf", "w") as file:
            file.write(f"CgroupPlugin=cgroup/v1\nCgroupAutomount=no\nCgroupMountpoint={self.folder}/cgroup\n")

    def start(self, name: str, *words: str) -> subprocess.Popen:
        with open(f"{self.folder}/log/{name}.out", "w") as log:
            daemon = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=self.environment)
        self.daemons.append(daemon)
        return daemon

    def start_node(self, name: str) -> None:
        # A slurmd knows who it is by the name of its host.
        self.start(
            name, "ip", "netns", "exec", self.space(name), "unshare", "--uts", "--mount", "sh", "-c",
            f"mount --bind {self.folder}/hosts /etc/hosts && hostname {name} && exec slurmd -D",
        )

    def kill(self, name: str) -> None:
        """As if its power were cut."""
        for process in self.processes(name):
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def processes(self, name: str) -> list[int]:
        found = subprocess.run(["ip", "netns", "pids", self.space(name)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        return [int(process) for process in found.stdout.split()]

    def write_gate(self, scenectl: str) -> str:
        """Writes a program that waits until it is let go, and then is `scenectl`: so no shard is over before the test has chosen one.

        Returns its folder, in which it has the same name."""
        self.gate = f"{self.folder}/gate/scenectl"
        os.mkdir(f"{self.folder}/gate")
        with open(self.gate, "w") as file:
            file.write(f"#!/bin/sh\nkill -STOP $$\nexec {shlex.quote(scenectl)} \"$@\"\n")
        os.chmod(self.gate, 0o755)
        return f"{self.folder}/gate"

    def held(self) -> list[tuple[str, int]]:
        """The node and process of each shard that waits to be let go."""
        held = []
        for name in self.nodes:
            for process in self.processes(name):
                try:
                    with open(f"/proc/{process}/cmdline") as file:
                        words = file.read().split("\0")
                    if self.gate in words[:2] and state(process) == "T" and not is_scenectl(process):
                        held.append((name, process))
                except (FileNotFoundError, ProcessLookupError):
                    pass
        return held

    def let_go(self) -> None:
        for _, process in self.held():
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGCONT)

    def until(self, what: str, holds, patience: float = PATIENCE) -> None:
        """Waits while all shards go on."""

        def goes_on() -> bool:
            self.let_go()
            return holds()

        until(what, goes_on, patience)

    def stop_shard(self, count: int) -> str:
        """Stops a program that makes a shard, which so cannot end before its node is killed.

        Lets one begin after the other, and leaves less and less time to them. If all but the last were faster, that one has not begun.

        Returns its node."""
        for over in range(count):
            until("a shard waits to be let go", self.held)
            name, process = self.held()[0]
            if over == count - 1 or self.stops_inside(process, 0.2 / 4**over):
                return name
        raise SystemExit("cluster: there are no shards")

    def stops_inside(self, process: int, pause: float) -> bool:
        """Lets a shard begin, and stops it so many seconds later, unless it was over."""
        try:
            os.kill(process, signal.SIGCONT)
            while not is_scenectl(process):
                pass
            time.sleep(pause)
            os.kill(process, signal.SIGSTOP)
            until(f"process {process} stopped", lambda: state(process) not in "RSD")
            return state(process) == "T"
        except (FileNotFoundError, ProcessLookupError):
            return False

    def ask(self, *words: str) -> str:
        return run(*words, env=self.environment)

    def states(self) -> dict[str, str]:
        done = subprocess.run(
            ["sinfo", "--noheader", "--Node", "--format=%N %T"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=self.environment
        )
        return dict(line.split() for line in done.stdout.splitlines())

    def jobs(self) -> list[list[str]]:
        """Index of each job that is not over, and why it waits."""
        lines = self.ask("squeue", "--noheader", "--array", "--format=%K|%r").splitlines()
        return [line.split("|") for line in lines]


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--scenectl", required=True)
    arguments.add_argument("--nodes", type=int, default=4)
    arguments.add_argument("--shards", type=int, default=12)
    arguments.add_argument("search", nargs="*", default=["two-buyers", "--prove"])
    options = arguments.parse_args()
    if os.getuid() != 0:
        raise SystemExit("cluster: namespaces need root")
    scenectl = os.path.abspath(options.scenectl)
    race = [scenectl, "race"]
    with tempfile.TemporaryDirectory(prefix="scened-cluster-") as folder, Cluster(folder, options.nodes) as cluster:
        work = f"{folder}/work"
        os.mkdir(work)
        count = options.shards
        name = pathlib.Path(options.search[0]).name.split(".")[0]
        began = time.monotonic()
        script = run(*race, *options.search, "--shard", str(count), "--print-for", "slurm", cwd=work)
        with open(f"{work}/race.sbatch", "w") as file:
            file.write(script)
        environment = {**cluster.environment, "PATH": f"{cluster.write_gate(scenectl)}:{os.environ['PATH']}"}
        job = run("sbatch", "--parsable", "race.sbatch", cwd=work, env=environment).strip()

        node = cluster.stop_shard(count)
        cluster.kill(node)
        cluster.until(f"{node} down", lambda: cluster.states().get(node, "").startswith("down"), 120)
        # It stays away: to one that is back at once, Slurm may still send that the job of before is over, which ends the one of after.
        cluster.until("its shard requeued", lambda: "Requeuing JobId" in pathlib.Path(f"{folder}/log/slurmctld").read_text())

        last = time.monotonic()

        def are_over() -> bool:
            nonlocal last
            jobs = cluster.jobs()
            for index, reason in jobs:
                # Slurm lets what it starts again wait for two minutes.
                if reason == "BeginTime":
                    cluster.ask("scontrol", "update", f"JobId={job}_{index}", "StartTime=now")
            left = list(pathlib.Path(work).glob(f"{name}.shard-*-of-{count}.json"))
            if jobs:
                last = time.monotonic()
            elif len(left) < count and time.monotonic() > last + 60:
                # What is started again is for a moment nowhere.
                raise SystemExit(f"cluster: no job is left, and {count - len(left)} of {count} shards have left no file")
            return not jobs and len(left) == count

        cluster.until("all shards over", are_over)
        took = time.monotonic() - began
        logs = "".join(path.read_text() for path in sorted(pathlib.Path(work).glob("*.log")))
        print(logs, end="")
        if len(logs.splitlines()) < count:
            raise SystemExit(f"cluster: not every shard has said how it ended:\n{logs}")

        files = sorted(str(path) for path in pathlib.Path(work).glob(f"{name}.shard-*-of-{count}.json"))
        together = merged(race, files, work)
        run_one = [*race, *options.search, "--shard", "1/1"]
        began = time.monotonic()
        one = subprocess.run(run_one, cwd=work, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if one.returncode not in (0, 1):
            raise SystemExit(f"cluster: {' '.join(run_one)}: {one.stderr}")
        alone = time.monotonic() - began
        single = merged(race, [f"{work}/{name}.shard-1-of-1.json"], work)
        # How many orders of a class are run depends on how a proof is cut.
        for result in [together, single]:
            if "proved" in result:
                result["ends"] = sorted([end["passes"], end["end"]] for end in result.get("ends", []))
        for key in ["race", "classes", "complete", "proved", "extent", "ends", "missing", "unfinished"]:
            if together.get(key) != single.get(key):
                raise SystemExit(f"cluster: {key}: {together.get(key)} of {count} shards, {single.get(key)} of one machine")
        print(
            f"cluster: {count} shards on {options.nodes} nodes, {node} killed: {together.get('extent') or together['runs']};"
            f" {took:.0f} s, one process {alone:.0f} s"
        )
    return 0


def merged(race: list[str], files: list[str], folder: str) -> dict:
    done = subprocess.run([*race, "merge", *files, "--json"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1):
        raise SystemExit(f"cluster: merge: status {done.returncode}: {done.stderr}{done.stdout}")
    return json.loads(done.stdout)


if __name__ == "__main__":
    sys.exit(main())
