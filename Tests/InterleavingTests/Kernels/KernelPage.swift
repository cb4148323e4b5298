import Interleaving

/// The page of the documentation that shows which strategy finds which kernel.
struct KernelPage {
    let rows: [KernelRow]

    var text: String {
        """
        # Kernels

        Small programs with one known bug each, and how many schedules each strategy needs to find it.

        ## Overview

        Each kernel is async Swift code in `Tests/InterleavingTests/Kernels`, modelled on a pattern from one of three families:
        SCTBench (Thomson, Donaldson, Betts, *Concurrency Testing Using Schedule Bounding*, PPoPP 2014), GoBench (Yuan et al.,
        *GoBench*, CGO 2021), and actors that do something else while they wait. Each has a twin without the bug.

        A command writes this page, and a test compares it with the kernels:

        ```sh
        TEST_KERNEL_TABLE=Sources/Interleaving/Interleaving.docc/Kernels.md swift test --filter KernelPageTests
        ```

        ## What finds what

        The number of the first schedule that failed, as the median of \(KernelRow.seeds.count) seeds, and in brackets the share of \
        \(KernelRow.shareRuns) schedules that fail (`fifo` is a single schedule; for `exhaustive`, of all schedules up to \
        \(KernelRow.shareRuns)). A dash means none in \(KernelRow.limit). The first schedule of every exploration is first in, \
        first out, and counts. Jobs run whole here: `granularity: .jobs`.

        \(Self.row(["kernel"] + KernelRow.strategies.map { "`\($0)`" }))
        \(Self.rule(1 + KernelRow.strategies.count))
        \(rows.map(Self.found).joined(separator: "\n"))

        Found by, of \(rows.count): \(totals).

        To see any of them, it is enough to hold one thing back for a while: the shrinker leaves one deviation of each. These figures \
        are from a debug build; optimized code has fewer hops between actors, and so fewer schedules.

        First in, first out finds none: each kernel is written so that a test that runs it once passes. `starved-scene` and \
        `philosophers-5` are why the portfolio is the default: `random` is slow to find the former, `pct-2` the latter. `exhaustive` \
        searches depth first, so it reaches late what goes wrong early in a long run: it is meant for small programs and for proofs.

        `mailbox-order` and `overtaking` run with mailboxes in any order, which actors may have. With mailboxes in order they \
        cannot fail, which a complete search shows: calls from one actor directly to the next do not overtake each other there.

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

    /// The beginnings of a kernel's lines in both tables, which do not depend on measurements.
    static func beginnings(of kernel: Kernel) -> [String] {
        [
            "| `\(kernel.name)` |",
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
