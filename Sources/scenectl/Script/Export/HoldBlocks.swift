internal import SceneRouting
internal import SceneVocabulary
internal import StrictJSON

/// The holds of a test while it is written: in the testing libraries one holds as long as a block runs.
struct HoldBlocks {
    struct Block {
        /// The hold's name in the script.
        let hold: String
        /// The variable of the test.
        let variable: String
        /// The lines of the test before the block.
        let first: Int
        /// Whether a step has waited for what it has caught.
        var isTold = false
        /// Whether it is released, and its name may be another's.
        var isReleased = false
        /// How often it catches something.
        let catches: Int
        /// The windows in which it has caught something.
        var scenes: Set<String> = []
    }

    /// The blocks that are open, the outermost first.
    private(set) var open: [Block] = []
    /// How often the holds of a name catch something, the next one's first.
    private var catches: [String: [Int]] = [:]

    init(_ steps: [ScriptStep]) {
        for step in steps {
            guard let hold = step.hold else { continue }
            if step.call == "Control.Hold" { catches[hold, default: []].append(0) }
            guard step.call == "Control.Await", let last = catches[hold]?.indices.last else { continue }
            catches[hold]?[last] += 1
        }
    }

    /// What a step makes of the blocks.
    enum Change {
        /// One begins: its point, the event and the kind if it has them, and whether it catches something.
        case begins(HoldPoint, event: String?, kind: DispatchKind?, mustCatch: Bool)
        /// What one has caught is waited for; `isFirst` if it is the first, which is what the libraries tell. It is the only one if no
        /// other could be the first in another run.
        case tells(Block, isFirst: Bool, isOnly: Bool)
        case ends(Block, isInnermost: Bool)
    }

    /// - Returns: `nil` if the step is none of a block.
    func change(by step: ScriptStep, _ reader: StepMembers) -> Change? {
        guard let hold = step.hold else { return nil }
        switch step.call {
        case "Control.Hold":
            let texts = ["scene", "event", "kind"].map { reader[$0] == nil || reader.text($0) != nil }
            guard block(of: step) == nil, step.expect?.isEmpty ?? true, !texts.contains(false),
                let point = reader.text("point").flatMap(HoldPoint.init)
            else { return nil }
            let kind = reader.text("kind").flatMap(DispatchKind.init)
            guard reader["kind"] == nil || kind != nil else { return nil }
            return .begins(point, event: reader.text("event"), kind: kind, mustCatch: catches[hold]?.first ?? 0 > 0)
        case "Control.Await":
            return block(of: step).map { .tells(open[$0], isFirst: !open[$0].isTold, isOnly: open[$0].catches == 1) }
        case "Control.Release":
            return block(of: step).map { .ends(open[$0], isInnermost: $0 == open.count - 1) }
        default: return nil
        }
    }

    mutating func begin(_ step: ScriptStep, as variable: String, at first: Int) {
        let hold = step.hold ?? ""
        let count = catches[hold].flatMap(\.first) ?? 0
        catches[hold] = catches[hold].map { Array($0.dropFirst()) }
        open.append(Block(hold: hold, variable: variable, first: first, catches: count))
    }

    /// The place of the block of a hold that is not released.
    private func block(of step: ScriptStep) -> Int? { open.lastIndex { $0.hold == step.hold && !$0.isReleased } }

    mutating func tell(_ step: ScriptStep) {
        guard let place = block(of: step) else { return }
        open[place].isTold = true
        if let scene = step.expect?["scene"]?.stringValue { open[place].scenes.insert(scene) }
    }

    /// Notes that it holds nothing any more; its block goes on.
    mutating func release(_ step: ScriptStep) {
        guard let place = block(of: step) else { return }
        open[place].isReleased = true
        open[place].scenes = []
    }

    mutating func endInnermost() { open.removeLast() }

    /// The hold that keeps a window.
    func holder(of scene: String?) -> String? { open.last { scene.map($0.scenes.contains) ?? false }?.hold }
}

extension ScriptStep {
    /// The hold that it makes, awaits or releases.
    var hold: String? { parameters["hold"]?.stringValue }
}
