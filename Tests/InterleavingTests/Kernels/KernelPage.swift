import Interleaving

/// The page of the documentation that shows what finds which kernel.
struct KernelPage {
    let rows: [KernelRow]

    var text: String {
        """
        # Kernels

        Small programs with one known bug each, and which strategy finds it after how many schedules.

        ## Overview

        Each kernel is async Swift code in `Tests/InterleavingTests/Kernels`, written after a pattern of one of three families:
        SCTBench (Thomson, Donaldson, Betts, *Concurrency Testing Using Schedule Bounding*, PPoPP 2014), GoBench (Yuan et al.,
        *GoBench*, CGO 2021), and actors that do something else while they wait. Each has a twin without the bug.

        This page is written by a command, and a test compares it with the kernels that there are:

        ```sh
        TEST_KERNEL_TABLE=Sources/Interleaving/Interleaving.docc/Kernels.md swift test --filter KernelPageTests
        ```

        ## What finds what

        The schedule that failed first, as the median of \(KernelRow.seeds.count) seeds, and in brackets how many of \
        \(KernelRow.shareRuns) schedules fail (for `fifo`, which \
        is one schedule, and `exhaustive`, of all it has to see up to \(KernelRow.shareRuns)). A dash: none in \(KernelRow.limit). \
        The first schedule of every exploration is first in, first out, and counts.

        \(Self.row(["kernel", "fewest deviations"] + KernelRow.strategies.map { "`\($0)`" }))
        \(Self.rule(2 + KernelRow.strategies.count))
        \(rows.map(Self.found).joined(separator: "\n"))

        Found by, of \(rows.count): \(totals).

        The fewest deviations from first in, first out are what the shrinker leaves. It has tried every schedule with fewer, \
        except where it says “at most”: there they are too many. These figures are of a debug build; optimized code has fewer \
        hops between actors, and so fewer schedules.

        First in, first out finds none: each kernel is written so that a test that runs it once passes. `starved-scene` and \
        `philosophers-5` are why the portfolio is the default: `random` is slow to find the one, `pct-2` the other. `exhaustive` goes \
        depth first, so what goes wrong early in a long run comes late: it is for small programs, and for proofs.

        `mailbox-order` and `overtaking` are run with mailboxes in any order, as actors may have them; with mailboxes in order they \
        cannot fail, which a test searches completely. Calls from one actor straight to the next do not overtake each other there.

        ## What goes wrong

        \(Self.row(["kernel", "family", "bug", "verdict", "corrected twin"]))
        \(Self.rule(5))
        \(rows.map(Self.explained).joined(separator: "\n"))

        """
    }

    /// How many kernels each strategy found.
    private var totals: String {
        KernelRow.strategies.enumerated().map { index, name in
            "`\(name)` \(rows.count { $0.cells[index].first != nil })"
        }.joined(separator: ", ")
    }

    /// What does not depend on measuring: how the lines of a kernel begin, in both tables.
    static func beginnings(of kernel: Kernel) -> [String] {
        [
            "| `\(kernel.name)` | \(kernel.isProven ? "" : "at most ")\(kernel.deviations) |",
            "| `\(kernel.name)` | \(kernel.family.rawValue) | \(kernel.bug) | \(kernel.verdict) |",
        ]
    }

    private static func found(_ row: KernelRow) -> String {
        beginnings(of: row.kernel)[0] + row.cells.map { " \($0) |" }.joined()
    }

    private static func explained(_ row: KernelRow) -> String {
        let proof = row.proof.complete.map { "complete in \($0) schedules" } ?? "\(row.proof.runs) schedules"
        return beginnings(of: row.kernel)[1] + " \(row.proof.failure == nil ? proof : "fails") |"
    }

    private static func row(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |" }
    private static func rule(_ count: Int) -> String { "|\(String(repeating: "---|", count: count))" }
}
