import Figures
import StrictJSON
import Testing

@Suite("Figures of benchmarks")
struct FigureTests {
    private static func figure(_ samples: [Double], goal: Figure.Goal? = nil, name: String = "resolve") -> Figure {
        Figure("routing", name, to: "match", samples, goal: goal, detail: "812 ns")
    }

    private static func results(_ figures: [Figure], processor: String = "p") -> BenchmarkResults {
        BenchmarkResults(
            processor: processor,
            cores: 2,
            memory: 8 << 30,
            system: "Linux 6",
            commit: "c",
            toolchain: "Swift 6",
            date: "2026-01-01T00:00:00Z",
            figures: figures
        )
    }

    @Test(
        "have their median and middle half",
        arguments: [([3.0], 3.0, 3.0, 3.0), ([4, 1, 3, 2, 5], 3, 2, 4), ([1, 2], 1.5, 1.25, 1.75)]
    )
    func median(samples: [Double], median: Double, low: Double, high: Double) {
        let figure = Self.figure(samples)
        #expect(figure.median == median)
        #expect(figure.spread == low...high)
    }

    @Test("meet their goal up to the limit")
    func goals() {
        #expect(Self.figure([1], goal: .atMost(1)).isReached == true)
        #expect(Self.figure([1.1], goal: .atMost(1)).isReached == false)
        #expect(Self.figure([0.9], goal: .atLeast(1)).isReached == false)
        #expect(Self.figure([1]).isReached == nil)
        #expect(
            Self.figure([2], goal: .atMost(1)).line == "routing: resolve: × 2 of match; goal ≤ × 1, NOT REACHED; 812 ns"
        )
    }

    @Test("are kept as JSON and read again")
    func json() throws {
        let bytes = Figure("navigation", "idle scene", in: "bytes", [5_125], goal: .atMost(8_192))
        let results = Self.results([Self.figure([1, 2, 2.5], goal: .atLeast(0.8)), bytes])
        let read = try BenchmarkResults(parsing: results.json.text(), file: "r.json")
        #expect(read == results)
        #expect(results.table.contains("| navigation | idle scene | 5,125 bytes |"))
    }

    @Test(
        "that cannot be read are refused",
        arguments: ["", "{}", #"{"format":2,"figures":[]}"#, #"{"format":1,"figures":[{}]}"#]
    )
    func bad(text: String) {
        #expect { try BenchmarkResults(parsing: text, file: "r.json") } throws: { "\($0)".hasPrefix("r.json: ") }
    }

    @Test("have changed if the middle halves differ by a twentieth, for better or worse according to the goal")
    func comparison() {
        let before = Self.results([
            Self.figure([1, 1.1, 1.2], goal: .atMost(2), name: "a"),
            Self.figure([1, 1.1, 1.2], goal: .atLeast(2), name: "b"),
            Self.figure([1, 1.1, 1.2], name: "c"), Self.figure([1], name: "gone"),
            Self.figure([1, 1.1, 1.2], name: "same"),
            Self.figure([1], name: "hair"),
        ])
        let after = Self.results(
            [
                Self.figure([2, 2.1, 2.2], goal: .atMost(2), name: "a"),
                Self.figure([2, 2.1, 2.2], goal: .atLeast(2), name: "b"),
                Self.figure([2, 2.1, 2.2], name: "c"), Self.figure([1], name: "new"),
                Self.figure([1.1, 1.2, 1.3], name: "same"),
                Self.figure([1.04], name: "hair"),
            ],
            processor: "q"
        )
        let comparison = BenchmarkComparison(before, after)
        let changes = Dictionary(uniqueKeysWithValues: comparison.rows.map { ($0.name, $0.change) })
        #expect(
            changes == [
                "a": .worse, "b": .better, "c": .moved, "new": .new, "gone": .gone, "same": .same, "hair": .same,
            ]
        )
        #expect(comparison.warnings.count == 1)
        #expect(comparison.text.split(separator: "\n")[3].hasPrefix("| worse | routing: a | × 1.1 | × 2.1 | 1.91 |"))
    }
}
