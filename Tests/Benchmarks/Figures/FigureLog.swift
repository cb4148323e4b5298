internal import Glibc
internal import StrictJSON

/// Reports figures: a line on standard output, and one in a file from which `make bench` makes the table.
package enum FigureLog {
    /// The variable that names the file for the table.
    package static let variable = "BENCH_FIGURES"

    /// Reports a figure at once.
    /// - Throws: ``FigureError/notWritten(file:reason:)``
    package static func add(_ figure: Figure) throws(FigureError) {
        print(figure.line)
        fflush(nil)
        guard let file = getenv(variable).map({ String(cString: $0) }), !file.isEmpty else { return }
        let line = figure.json.text() + "\n"
        guard let stream = fopen(file, "a") else {
            throw .notWritten(file: file, reason: String(cString: strerror(errno)))
        }
        let written = fputs(line, stream)
        guard fclose(stream) == 0, written >= 0 else {
            throw .notWritten(file: file, reason: String(cString: strerror(errno)))
        }
    }
}

/// Why figures could not be read or written.
package enum FigureError: Error, Hashable, Sendable, CustomStringConvertible {
    case notWritten(file: String, reason: String)
    case notRead(file: String, reason: String)

    package var description: String {
        switch self {
        case .notWritten(let file, let reason): "\(file) could not be written: \(reason)"
        case .notRead(let file, let reason): "\(file): \(reason)"
        }
    }
}

extension Figure {
    /// The figure as one line of text.
    package var line: String {
        var line = "\(area): \(name): \(value(median))"
        if let reference { line += " of \(reference)" }
        if samples.count > 1 { line += " (\(value(spread.lowerBound)) to \(value(spread.upperBound)))" }
        if let goalText { line += "; goal \(goalText)\(isReached == true ? "" : ", NOT REACHED")" }
        return detail.isEmpty ? line : "\(line); \(detail)"
    }

    package var goalText: String? {
        switch goal {
        case .atMost(let bound): "≤ \(value(bound))"
        case .atLeast(let bound): "≥ \(value(bound))"
        case nil: nil
        }
    }

    /// A number as text: a ratio with `×`, others with the unit.
    package func value(_ number: Double) -> String {
        unit.isEmpty ? "× \(Self.digits(number))" : "\(Self.digits(number)) \(unit)"
    }

    /// Three significant digits, and from 100 on whole numbers in groups of three digits.
    static func digits(_ number: Double) -> String {
        guard number.isFinite else { return "none" }
        let size = abs(number)
        if size >= 100 { return grouped(Int(number.rounded())) }
        let scale: Double = size >= 10 ? 10 : size >= 1 ? 100 : 1_000
        let scaled = (number * scale).rounded() / scale
        return scaled == scaled.rounded() ? String(Int(scaled)) : String(scaled)
    }

    private static func grouped(_ number: Int) -> String {
        var text = ""
        for (index, digit) in String(abs(number)).reversed().enumerated() {
            if index > 0, index % 3 == 0 { text = "," + text }
            text = String(digit) + text
        }
        return number < 0 ? "-\(text)" : text
    }
}
