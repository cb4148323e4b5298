"""What was promised, whether it was kept, and a report of one screen."""

MEBIBYTE = 1 << 20


def more_than(before, after, what):
    return (after[what] or 0) - (before[what] or 0)


def allowance(what):
    """How much more than before may be held."""
    return 32 * MEBIBYTE if what == "memory" else 0


def checks(seen, by_clock):
    """Each promise: what it is, whether it was kept, and the figure."""
    if "broken" in seen:
        return [("the daemon serves", False, seen["broken"])]
    good, history = seen["good"], seen["history"]
    before, during, after = seen["before"], seen["during"], seen["after"]
    found = [
        ("good clients' answers are right", not good["wrong"], f"{good['wrong']} wrong {' '.join(good['examples'])}"),
        ("their records have no gap", not history["gaps"], f"{history['gaps']} gaps in {history['records']}"),
        ("all records were followed", history["records"] >= history["newest"], f"{history['newest']} were made"),
        ("none of their events is lost", not history["lost"], f"{history['lost']} lost"),
        ("the checker holds", history["checker"] == 0, f"status {history['checker']}"),
        (
            "the daemon ends well, and logs no error",
            seen["status"] == 0 and not seen["log"],
            f"status {seen['status']} {seen['log'][-300:]}",
        ),
    ]
    for what in before:
        # What there is for each user is not shown for a user who has none.
        is_shown = any(held[what] is not None for held in (before, during, after))
        numbers = [held[what] or 0 for held in (before, during, after)]
        if what == "memory":
            numbers = [f"{number / MEBIBYTE:.0f} MiB" for number in numbers]
        found.append(
            (
                f"{what} as before",
                is_shown and more_than(before, after, what) <= allowance(what),
                f"{numbers[0]} → {numbers[1]} → {numbers[2]}" if is_shown else "the daemon does not show them",
            )
        )
    method, longest = max(seen["stretches"].items(), key=lambda pair: pair[1], default=("", 0))
    limit = seen["calibration"] * 4
    found.append(
        (
            "no message holds a loop for long",
            0 < longest <= limit,
            f"{longest * 1e3:.0f} of {limit * 1e3:.0f} ms of processor time ({method})",
        )
    )
    if by_clock:
        alone, attacked = good["alone"], good["attacked"]
        found += [
            ("p99 at most twice as long", attacked["p99"] <= 2 * alone["p99"], f"{attacked['p99'] / alone['p99']:.1f} ×"),
            ("no call waits for 250 ms", attacked["max"] <= 250, f"{attacked['max']:.0f} ms"),
            ("nor does a new client", good["visiting"]["max"] <= 250, f"{good['visiting']['max']:.0f} ms"),
        ]
    return found


def row(seen, by_clock):
    """The round as a row of the documentation's table."""
    clients = sum(tally.get("connections", 0) for tally in seen["attacks"].values())
    calls = sum(tally.get("calls", 0) for tally in seen["attacks"].values())
    broken = [what for what, is_kept, _ in checks(seen, by_clock) if not is_kept]
    figures = ["", "", "", ""]
    if "good" in seen:
        good = seen["good"]
        longest = max(good["attacked"]["max"], good["visiting"]["max"])
        memory = [(seen[when]["memory"] or 0) / MEBIBYTE for when in ("before", "during", "after")]
        figures = [f"{good[when]['p99']:.1f}" for when in ("alone", "attacked")] + [f"{longest:.0f}"]
        figures.append(" → ".join(f"{amount:.0f}" for amount in memory))
    cells = [seen["round"], f"{clients:,}", f"{calls:,}", *figures, ", ".join(broken) and f"broken: {', '.join(broken)}" or "kept"]
    return f"| {' | '.join(cells)} |"


def write_page(page, rows):
    """Replaces the rows of the table that begins with '| attack |'."""
    lines = page.read_text().split("\n")
    head = next(number for number, line in enumerate(lines) if line.startswith("| attack |"))
    rest = lines[head + 2 :]
    while rest and rest[0].startswith("| "):
        rest.pop(0)
    page.write_text("\n".join(lines[: head + 2] + rows + rest))


def report(seen, by_clock):
    lines = [f"crowd: {seen['round']}", ""]
    width = max([len(name) for name in seen["attacks"]] + [16])
    lines.append(f"{'attack':<{width}} {'clients':>8} {'calls':>8} {'MiB':>6}  refused with")
    for name, tally in seen["attacks"].items():
        plain = {"connections", "calls", "bytes", "answered", "descriptors"}
        refused = sorted(((count, what) for what, count in tally.items() if what not in plain), reverse=True)
        text = ", ".join(f"{count} {what.removeprefix('org.varlink.service.').removeprefix('io.scened.')}" for count, what in refused)
        text = text if len(text) <= 90 else text[:89] + "…"
        counts = f"{tally.get('connections', 0):>8} {tally.get('calls', 0):>8}"
        lines.append(f"{name:<{width}} {counts} {tally.get('bytes', 0) / MEBIBYTE:>6.0f}  {text}")
    if "good" in seen:
        lines += ["", f"{'good clients':<{width}} {'calls':>8} {'p50':>8} {'p99':>8} {'max':>8}  ms"]
        for what in "alone", "attacked", "visiting alone", "visiting":
            if figures := seen["good"][what]:
                row = "".join(f" {figures[key]:>8.1f}" for key in ("p50", "p99", "max"))
                lines.append(f"{what:<{width}} {figures['calls']:>8}{row}")
    if seen.get("refused"):
        lines += ["", "the daemon says: " + ", ".join(f"{count} {kind}" for kind, count in seen["refused"].items())]
    if seen.get("stretches"):
        longest = sorted(seen["stretches"].items(), key=lambda pair: -pair[1])[:5]
        lines += ["longest messages: " + ", ".join(f"{method} {value * 1e3:.0f} ms" for method, value in longest)]
    lines.append("")
    for what, kept, figure in checks(seen, by_clock):
        lines.append(f"{'kept' if kept else 'BROKEN':<7} {what:<34} {figure}".rstrip())
    if "history" in seen and seen["history"]["checker"] != 0:
        lines += ["", seen["history"]["verdict"]]
    return "\n".join(lines)
