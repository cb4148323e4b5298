import Foundation
import Interleaving
import Testing

@Suite("The page of kernels")
struct KernelPageTests {
    private static let path = URL(filePath: #filePath)
        .deletingLastPathComponent()
        .appending(path: "../../../Sources/Interleaving/Interleaving.docc/Kernels.md")
        .standardizedFileURL

    @Test("lists exactly the kernels, in order, as the code describes them")
    func lists() throws {
        let lines = try String(contentsOf: Self.path, encoding: .utf8).split(separator: "\n")
        let rows = lines.filter { $0.hasPrefix("| `") }
        let expected = [0, 1].flatMap { table in Kernel.all.map { KernelPage.beginnings(of: $0)[table] } }
        #expect(rows.count == expected.count)
        for (row, beginning) in zip(rows, expected) { #expect(row.hasPrefix(beginning)) }
    }

    @Test("shows that the portfolio finds every kernel, and that no corrected one fails")
    func finds() throws {
        let lines = try String(contentsOf: Self.path, encoding: .utf8).split(separator: "\n")
        let found = try #require(lines.first { $0.hasPrefix("Found by") })
        #expect(found.contains("`portfolio` \(Kernel.all.count),"))
        #expect(!lines.contains { $0.hasSuffix("| fails |") })
    }

    /// Not a test: writes the page to the path in the variable, which takes some minutes.
    @Test(
        "is written on request",
        .enabled(if: ProcessInfo.processInfo.environment["TEST_KERNEL_TABLE"] != nil, "TEST_KERNEL_TABLE names no file")
    )
    func write() async throws {
        let path = try #require(ProcessInfo.processInfo.environment["TEST_KERNEL_TABLE"])
        var rows: [KernelRow] = []
        for kernel in Kernel.all {
            rows.append(try await KernelRow(measuring: kernel))
            print("\(rows.count) of \(Kernel.all.count): \(kernel.name)")
        }
        try KernelPage(rows: rows).text.write(toFile: path, atomically: true, encoding: .utf8)
    }
}
