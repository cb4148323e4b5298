package import StrictJSON

extension SoakComparison {
    /// The comparison as a table of text.
    /// - Parameter names: The headings of the two columns.
    package func text(names: (String, String)) -> String {
        var table = [["", Self.short(names.0), Self.short(names.1), "ratio", ""]]
        for row in rows {
            table.append([
                row.name, row.word(row.before), row.word(row.after),
                row.ratio.map { "\(Wording.number($0, digits: 2)) ×" } ?? "", row.change.word,
            ])
        }
        table.append(["verdict"] + conclusions.map(\.rawValue) + ["", ""])
        let widths = (0..<5).map { column in table.map { $0[column].count }.max() ?? 0 }
        var lines = warnings.map { "warning: \($0)" }
        for row in table {
            var line = SoakReport.padded(row[0], widths[0])
            for column in 1..<4 {
                line += "  " + String(repeating: " ", count: widths[column] - row[column].count) + row[column]
            }
            line += "  " + row[4]
            while line.last == " " { line.removeLast() }
            lines.append(line)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The comparison as JSON.
    package var json: JSONValue {
        [
            "warnings": .array(warnings.map(JSONValue.string)),
            "verdicts": .array(conclusions.map { .string($0.rawValue) }),
            "rows": .array(
                rows.map { row in
                    [
                        "name": .string(row.name), "unit": .string(row.unit),
                        "before": row.before.map(JSONValue.number) ?? .null,
                        "after": row.after.map(JSONValue.number) ?? .null,
                        "ratio": row.ratio.map(JSONValue.number) ?? .null, "change": .string(row.change.rawValue),
                    ]
                }
            ),
        ]
    }

    /// The end of a long name, which says more than its beginning.
    private static func short(_ name: String) -> String { name.count > 24 ? "…\(name.suffix(23))" : name }
}

extension SoakComparison.Change {
    fileprivate var word: String {
        switch self {
        case .better: "better"
        case .worse: "WORSE"
        case .same: "within noise"
        case .unknown: "unknown"
        }
    }
}

extension SoakComparison.Row {
    fileprivate func word(_ value: Double?) -> String {
        guard let value else { return "–" }
        return switch form {
        case .time: Wording.latency(value)
        case .rate: "\(Wording.short(value))/s"
        case .percent: "\(Wording.number(value, digits: 3)) %"
        case .count: Wording.count(Int(value))
        case .bytes: Wording.bytes(value)
        case .bytesPerHour: "\(Wording.signed(value, Wording.bytes))/h"
        }
    }

    fileprivate var unit: String {
        switch form {
        case .time: "nanoseconds"
        case .rate: "1/s"
        case .percent: "percent"
        case .count: "1"
        case .bytes: "bytes"
        case .bytesPerHour: "bytes/h"
        }
    }
}
