internal import StrictJSON

extension ReplayFile {
    /// The value of the file's first member, which distinguishes it from other JSON.
    static let format = "interleaving-replay"

    /// The file, as UTF-8.
    package var bytes: [UInt8] {
        var object: JSONObject = [
            "format": .string(Self.format),
            "version": .integer(Self.version),
            "test": .string(test),
            "toolchain": .string(build.toolchain),
            "configuration": .string(build.configuration),
            "mailbox": .string(mailbox.rawValue),
            "control": .string(control.rawValue),
            "seed": .hexadecimal(seed),
            "deviations": .array(
                schedule.deviations.map { deviation in
                    let pair: [JSONValue] = [.integer(deviation.step), .integer(deviation.position)]
                    return .array(deviation.count > 1 ? pair + [.integer(deviation.count)] : pair)
                }
            ),
        ]
        if !faults.isEmpty {
            object["faults"] = .array(faults.kinds.map { .string($0.text) })
            object["faultLimit"] = .integer(faults.limit)
        }
        if workTakes.upperBound > .zero {
            object["workTakes"] = [
                .integer(workTakes.lowerBound.nanoseconds), .integer(workTakes.upperBound.nanoseconds),
            ]
        }
        if granularity != .jobs { object["granularity"] = .string(granularity.rawValue) }
        if !deleted.isEmpty { object["deleted"] = .array(deleted.map { .integer($0) }) }
        if let strategy { object["strategy"] = .string(strategy) }
        if let verdict { object["verdict"] = .string(verdict) }
        if let steps { object["steps"] = .integer(steps) }
        if let traceHash { object["traceHash"] = .hexadecimal(traceHash) }
        var bytes: [UInt8] = []
        JSONValue.object(object).write(to: &bytes, layout: .indented)
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    /// Reads a file.
    /// - Throws: ``ReplayFileError``, which says what is wrong, where, and what would be right.
    package init(parsing bytes: [UInt8]) throws(ReplayFileError) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: bytes)
        } catch {
            throw ReplayFileError(line: error.line, column: error.column, problem: "it is not JSON: \(error.reason)")
        }
        do throws(JSONFieldError) {
            try self.init(JSONReader(value))
        } catch {
            let place = JSONPlaces(of: value, in: String(decoding: bytes, as: UTF8.self)).place(at: error.path)
            throw ReplayFileError(line: place.line, column: place.column, problem: error.description)
        }
    }

    private init(_ file: JSONReader) throws(JSONFieldError) {
        try file.requireFormat(Self.format, version: Self.version)
        test = try file["test"].text()
        seed = try file["seed"].hexadecimal()
        schedule = RunSchedule(try file["deviations"].deviations())
        deleted =
            try file.optional("deleted")?.elements().map { step throws(JSONFieldError) in try step.integer(from: 0) }
            ?? []
        mailbox = try file["mailbox"].choice()
        control = try file["control"].choice()
        let kinds =
            try file.optional("faults")?.elements().map { fault throws(JSONFieldError) -> SimulatedFaults.Kind in
                guard let kind = fault.value?.stringValue.flatMap({ SimulatedFaults.Kind($0) }) else {
                    throw fault.error(
                        "\"cancellation\", or \"slow-executor N\" or \"clock-jump N …\" with nanoseconds above 0"
                    )
                }
                return kind
            } ?? []
        faults =
            kinds.isEmpty
            ? .none : SimulatedFaults(kinds, limit: try file.optional("faultLimit")?.integer(from: 0) ?? 1)
        workTakes = try file.optional("workTakes")?.durations() ?? .zero ... .zero
        granularity = try file.optional("granularity")?.choice() ?? .jobs
        build = Build(toolchain: try file["toolchain"].text(), configuration: try file["configuration"].text())
        strategy = try file.optional("strategy")?.text()
        verdict = try file.optional("verdict")?.text()
        steps = try file.optional("steps")?.integer(from: 0)
        traceHash = try file.optional("traceHash")?.hexadecimal()
    }
}

extension JSONReader {
    fileprivate func hexadecimal() throws(JSONFieldError) -> UInt64 {
        guard let text = value?.stringValue, text.hasPrefix("0x"), let number = UInt64(text.dropFirst(2), radix: 16)
        else { throw error("string of 0x and up to 16 hexadecimal digits") }
        return number
    }

    /// The shortest and the longest of some durations, in nanoseconds.
    fileprivate func durations() throws(JSONFieldError) -> ClosedRange<Duration> {
        let bounds = try elements()
        guard bounds.count == 2 else { throw error("[shortest, longest]", found: "\(bounds.count) elements") }
        let shortest = try bounds[0].integer(from: 0)
        return .nanoseconds(shortest) ... .nanoseconds(try bounds[1].integer(from: shortest))
    }

    /// Pairs of a step and a position, some with a number of steps; the steps ascend.
    fileprivate func deviations() throws(JSONFieldError) -> [RunDeviation] {
        var deviations: [RunDeviation] = []
        for element in try elements() {
            let pair = try element.elements()
            guard 2...3 ~= pair.count else {
                throw element.error("[step, position] or [step, position, count]", found: "\(pair.count) elements")
            }
            let step = try pair[0].integer(from: 0)
            if let last = deviations.last, last.step >= step {
                throw pair[0].error("step after \(last.step), because the steps ascend")
            }
            deviations.append(
                RunDeviation(
                    step: step,
                    position: try pair[1].integer(from: 1),
                    count: pair.count == 3 ? try pair[2].integer(from: 1) : 1
                )
            )
        }
        return deviations
    }
}

extension JSONValue {
    /// 64 bits as a string, because a JSON number may not hold them.
    static func hexadecimal(_ number: UInt64) -> JSONValue { .string("0x" + String(number, radix: 16)) }
}

/// A file that is not a replay file.
package struct ReplayFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line of the mistake, counted from 1.
    package let line: Int
    /// The byte in the line, counted from 1.
    package let column: Int
    /// What is wrong and what would be right.
    package let problem: String

    /// - Parameters: As the properties.
    package init(line: Int, column: Int, problem: String) {
        self.line = line
        self.column = column
        self.problem = problem
    }

    /// The place and the problem.
    package var description: String { "line \(line), column \(column): \(problem)" }
}
