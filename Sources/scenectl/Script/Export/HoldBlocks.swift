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
        /// The windows in which it has caught something.
        var scenes: Set<String> = []
    }

    /// The blocks that are open, the outermost first.
    private(set) var open: [Block] = []
    /// How often each hold catches something.
    private let catches: [String: Int]

    init(_ steps: [ScriptStep]) {
        let holds = steps.filter { $0.call == "Control.Await" }.compactMap(\.hold)
        catches = Dictionary(holds.map { ($0, 1) }, uniquingKeysWith: +)
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
            guard !open.contains(where: { $0.hold == hold }), step.expect?.isEmpty ?? true, !texts.contains(false),
                let point = reader.text("point").flatMap(HoldPoint.init)
            else { return nil }
            let kind = reader.text("kind").flatMap(DispatchKind.init)
            guard reader["kind"] == nil || kind != nil else { return nil }
            return .begins(point, event: reader.text("event"), kind: kind, mustCatch: catches[hold] != nil)
        case "Control.Await":
            return open.first { $0.hold == hold }.map { .tells($0, isFirst: !$0.isTold, isOnly: catches[hold] == 1) }
        case "Control.Release":
            return open.first { $0.hold == hold }.map { .ends($0, isInnermost: open.last?.hold == hold) }
        default: return nil
        }
    }

    mutating func begin(_ step: ScriptStep, as variable: String, at first: Int) {
        open.append(Block(hold: step.hold ?? "", variable: variable, first: first))
    }

    mutating func tell(_ step: ScriptStep) {
        guard let place = open.firstIndex(where: { $0.hold == step.hold }) else { return }
        open[place].isTold = true
        if let scene = step.expect?["scene"]?.stringValue { open[place].scenes.insert(scene) }
    }

    /// Notes that it holds nothing any more; its block goes on.
    mutating func release(_ step: ScriptStep) {
        guard let place = open.firstIndex(where: { $0.hold == step.hold }) else { return }
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
