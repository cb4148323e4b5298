internal import CommandConsole
internal import SceneVocabulary
internal import StrictJSON

extension SwiftWriter {
    /// Adds a step with which a hold begins, tells what it has caught, or ends: `try await window.at(.planned) { h1 in`.
    ///
    /// Its block goes on to the end of the test, because what is declared in it is expected of there.
    /// - Returns: Whether it is such a step.
    mutating func block(
        _ step: ScriptStep,
        _ timing: TestTiming,
        _ number: Int,
        _ reader: StepMembers
    ) throws(CommandError) -> Bool {
        switch blocks.change(by: step, reader) {
        case nil: return false
        case .begins(let point, let event, let kind, let mustCatch):
            let target = reader.text("scene").map { window($0) } ?? "app"
            var arguments = [".\(point.rawValue)"]
            if let event { arguments.append("event: \(text(.string(event)))") }
            if let kind { arguments.append("kind: .\(kind.rawValue)") }
            if !mustCatch { arguments.append("mustCatch: false") }
            let variable = names.name(step.hold ?? "", otherwise: "hold")
            lines.append("try await \(target).at(\(arguments.joined(separator: ", "))) { \(variable) in")
            blocks.begin(step, as: variable, at: lines.count)
            isAtRest = timing.isQuiet
        case .tells(let block, isFirst: true, let isOnly):
            blocks.tell(step)
            mayBeLater = true
            var expect = step.expect ?? [:]
            // It is the hold's own.
            expect["point"] = nil
            guard isOnly, !expect.isEmpty else {
                lines.append("try await \(block.variable).wait()")
                break
            }
            let caught = names.name("caught \(number)")
            lines.append("let \(caught) = try await \(block.variable).wait()")
            for (name, value) in expect {
                switch (name, value) {
                case ("scene", .string), ("event", .string):
                    lines.append("#expect(\(caught).\(name) == \(text(value)))")
                case ("ticket", .integer(let ticket)): lines.append("#expect(\(caught).ticket == \(ticket))")
                case ("scene", .null), ("event", .null), ("ticket", .null):
                    lines.append("#expect(\(caught).\(name) == nil)")
                default: throw .usage("\(reader.place): expect: \(name): expected what 'Control.Await' is answered.")
                }
            }
        case .tells(let block, isFirst: false, _):
            blocks.tell(step)
            leaveOut("what \(block.variable) has caught besides, which the library does not tell")
        case .ends(let block, _):
            blocks.release(step)
            lines.append("try await \(block.variable).release()")
        }
        return true
    }
}
