import Foundation
import Testing

@Suite("Limits of time")
struct TimeLimitTests {
    /// A limit is there to end what hangs. It says nothing of speed: beside other work, a test takes many times as long.
    @Test("no test is ended before a quarter of an hour")
    func isLong() throws {
        let tests = ArrowTests.sources.deletingLastPathComponent().appending(path: "Tests")
        let files = try #require(FileManager.default.enumerator(atPath: tests.path))
        var seen = 0
        for case let file as String in files where file.hasSuffix(".swift") {
            let text = try String(contentsOf: tests.appending(path: file), encoding: .utf8)
            for limit in text.matches(of: #/\.timeLimit\(\.minutes\((\d+)\)\)/#) {
                seen += 1
                #expect((Int(limit.1) ?? 0) >= 15, "\(file): \(limit.0)")
            }
        }
        #expect(seen > 10)
    }
}
