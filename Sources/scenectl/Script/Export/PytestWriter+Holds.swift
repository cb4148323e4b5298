internal import CommandConsole
internal import SceneVocabulary
internal import StrictJSON

extension PytestWriter {
    /// Adds a step with which a hold begins, tells what it has caught, or ends: `with window.at("planned") as h1:`.
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
            var arguments = [value(.string(point.rawValue))]
            if let event { arguments.append("event=\(value(.string(event)))") }
            if let kind { arguments.append("kind=\(value(.string(kind.rawValue)))") }
            if !mustCatch { arguments.append("must_catch=False") }
            let variable = names.name(step.hold ?? "", otherwise: "hold")
            lines.append("with \(target).at(\(arguments.joined(separator: ", "))) as \(variable):")
            blocks.begin(step, as: variable, at: lines.count)
            isAtRest = timing.isQuiet
        case .tells(let block, isFirst: true, let isOnly):
            blocks.tell(step)
            mayBeLater = true
            guard isOnly, let expect = step.expect, !expect.isEmpty else {
                lines.append("\(block.variable).wait()")
                break
            }
            let caught = names.name("caught \(number)")
            lines.append("\(caught) = \(block.variable).wait()")
            try compare(.object(expect), with: caught, isOpen: false, at: reader.place)
        case .tells(let block, isFirst: false, _):
            blocks.tell(step)
            lines.append(
                Self.comment("left out: what \(block.variable) has caught besides, which the package does not tell")
            )
        case .ends(let block, let isInnermost):
            // The end of the block waits until everything is done.
            guard isInnermost, timing.isAwaited else {
                blocks.release(step)
                lines.append("\(block.variable).release()")
                break
            }
            end(block)
            isAtRest = true
            mayBeLater = true
        }
        return true
    }

    /// Ends the innermost block.
    mutating func end(_ block: HoldBlocks.Block) {
        let isEmpty = lines[block.first...].allSatisfy { $0.isEmpty || $0.drop { $0 == " " }.hasPrefix("#") }
        if isEmpty { lines.append("\(SourceText.indent(blocks.open.count))pass") }
        blocks.endInnermost()
    }
}
