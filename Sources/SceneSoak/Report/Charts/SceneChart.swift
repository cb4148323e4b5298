internal import Basics
internal import SceneVocabulary

/// A chart of the scenes' states over the time of a soak, one row per scene.
struct SceneChart {
    /// The most rows.
    static let mostScenes = 24
    /// How many slots the width has. Each slot has the colour of the state that lasted longest in it.
    static let slots = 300

    var frame: ChartFrame
    var time: ChartTime
    var spans: [SoakSceneSpan]

    static let colours = [
        (Activation.foregroundActive.rawValue, "s1"), (Activation.foregroundInactive.rawValue, "s2"),
        (Activation.background.rawValue, "s3"), ("disconnected", "s4"),
    ]

    var html: String {
        var scenes: [String] = []
        var bySpan: [String: [SoakSceneSpan]] = [:]
        for span in spans {
            if bySpan[span.scene] == nil { scenes.append(span.scene) }
            bySpan[span.scene, default: []].append(span)
        }
        // In natural order: soak-10 after soak-2.
        scenes.sort { ($0.count, $0) < ($1.count, $1) }
        let shown = scenes.prefix(Self.mostScenes)
        let height = 1 / Double(max(1, shown.count))
        var paths: [String: SVGPath] = [:]
        for (row, scene) in shown.enumerated() {
            let top = 1 - Double(row) * height
            for (slots, colour) in runs(of: bySpan[scene, default: []]) {
                let places =
                    Double(slots.lowerBound) / Double(Self.slots)...Double(slots.upperBound) / Double(Self.slots)
                paths[colour, default: SVGPath()].box(places, (top - height * 0.85)...(top - height * 0.15))
            }
        }
        var frame = frame
        frame.heights = shown.enumerated().map { (1 - (Double($0) + 0.5) * height, $1) }
        if scenes.count > shown.count { frame.note = "The first \(shown.count) of \(scenes.count) scenes." }
        let drawing = paths.sorted { $0.key < $1.key }.map { "<path class=\"layer \($0)\" d=\"\($1.text)\"/>" }
        return frame.html(drawing.joined())
    }

    /// Runs of slots of the same colour.
    private func runs(of spans: [SoakSceneSpan]) -> [(slots: Range<Int>, colour: String)] {
        var longest = [(share: Double, colour: String?)](repeating: (0, nil), count: Self.slots)
        for span in spans {
            let colour = Self.colours.first { $0.0 == span.state }?.1 ?? "s5"
            let (start, end) = (time.place(span.start) * Double(Self.slots), time.place(span.end) * Double(Self.slots))
            guard end >= start else { continue }
            for slot in Int(start)...max(Int(start), min(Int(end), Self.slots)) where slot < Self.slots {
                let share = min(end, Double(slot) + 1) - max(start, Double(slot))
                if share >= longest[slot].share { longest[slot] = (share, colour) }
            }
        }
        var runs: [(slots: Range<Int>, colour: String)] = []
        for (slot, (_, colour)) in longest.enumerated() {
            guard let colour else { continue }
            if let last = runs.last, last.colour == colour, last.slots.upperBound == slot {
                runs[runs.count - 1].slots = last.slots.lowerBound..<(slot + 1)
            } else {
                runs.append((slot..<(slot + 1), colour))
            }
        }
        return runs
    }
}
