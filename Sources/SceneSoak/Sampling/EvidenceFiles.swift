internal import Basics
internal import SceneHistory
internal import SceneViewer
internal import StrictJSON

/// Writes the records around a violation or a fault, a page that shows them, and the calls that led to a violation, as soon as it is
/// found and they are still in memory.
actor EvidenceFiles {
    /// What the names of files about violations begin with.
    static let violations = "violation-"

    /// The file about the first fault of a kind.
    static func page(of kind: SoakFault.Kind) -> String { "fault-\(kind.rawValue).html" }

    private let directory: String
    private let calls: RecentCalls
    private let warn: @Sendable (String) -> Void

    /// - Parameters:
    ///   - directory: An existing folder.
    ///   - warn: Called if a file cannot be written.
    init(directory: String, calls: RecentCalls, warn: @escaping @Sendable (String) -> Void) {
        self.directory = directory
        self.calls = calls
        self.warn = warn
    }

    /// Writes files for each violated invariant, and more for those of its violations that the pages written so far do not show.
    /// - Parameter known: The files written earlier.
    /// - Returns: All files written so far.
    func write(
        _ report: HostReport,
        newest: [JSONPart],
        known: [SoakHost.Evidence]
    ) -> [SoakHost.Evidence] {
        var files = known
        let places = Dictionary(
            newest.enumerated().compactMap { place, record in record["index"]?.integerValue.map { ($0, place) } },
            uniquingKeysWith: { $1 }
        )
        for verdict in report.verdicts {
            guard case .violated(let all, _) = verdict.verdict else { continue }
            let earlier = known.filter { $0.invariant == verdict.invariant }
            let violations = all.filter { violation in
                guard let seen = violation.records.last, !earlier.isEmpty else { return earlier.isEmpty }
                return places[seen] != nil && earlier.allSatisfy { $0.places[seen] == nil }
            }
            if violations.isEmpty { continue }
            let number = earlier.isEmpty ? "" : "-\(earlier.count + 1)"
            let name =
                "\(Self.violations)\(report.host.prefix(8))-\(verdict.invariant.rawValue)-\(verdict.invariant.name)\(number)"
            let shown = Set(violations.flatMap(\.records))
            let scenes = Set(
                newest.filter { shown.contains($0["index"]?.integerValue ?? 0) }.compactMap { $0["scene"]?.stringValue }
            )
            let records = newest.map { $0.value.text() }
            let script = Self.script(calls.newest, scenes: scenes)
            do throws(SoakFolder.Failure) {
                try Self.write(records, to: "\(directory)/\(name).records.jsonl")
                try SoakFolder.write(
                    Array(Self.page(report.host, verdict.invariant, records, violations).utf8),
                    to: "\(directory)/\(name).html"
                )
                if !script.isEmpty { try Self.write(script, to: "\(directory)/\(name).script.jsonl") }
            } catch {
                warn("\(error)")
                continue
            }
            let seen = violations.compactMap(\.records.last)
            files.append(
                SoakHost.Evidence(
                    invariant: verdict.invariant,
                    records: "\(name).records.jsonl",
                    page: "\(name).html",
                    replay: script.isEmpty ? nil : "\(name).script.jsonl",
                    places: places.filter { seen.contains($0.key) }
                )
            )
        }
        return files
    }

    /// Writes the page about a fault.
    /// - Returns: `nil` if it cannot be written, or there is nothing to show.
    func write(_ stretch: FaultStretch) -> SoakFault.Page? {
        guard let fault = stretch.fault, !stretch.records.isEmpty else { return nil }
        let file = Self.page(of: fault.kind)
        let place = min(stretch.place, stretch.records.count - 1)
        let times = "\(Wording.moment(fault.start)) to \(Wording.moment(fault.end))"
        let page = TracePage(
            title: "Fault \(fault.kind.rawValue), \(times)",
            lead:
                "<p>Host \(HTMLText.escaped(stretch.host)): \(HTMLText.escaped(fault.words)). It began at about step \(place + 1) of these \(stretch.records.count) records.</p>"
        )
        let text = page.text([
            (TracePage.Run(label: "host \(stretch.host)", opensAt: place), stretch.records.map { $0.value.text() })
        ])
        do throws(SoakFolder.Failure) {
            try SoakFolder.write(Array(text.utf8), to: "\(directory)/\(file)")
        } catch {
            warn("\(error)")
            return nil
        }
        return SoakFault.Page(file: file, place: place)
    }

    private static func write(_ lines: [String], to path: String) throws(SoakFolder.Failure) {
        try SoakFolder.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: path)
    }

    /// The page that shows the records. It opens at the one with which the first violation was seen.
    private static func page(_ host: String, _ invariant: Invariant, _ records: [String], _ violations: [Violation])
        -> String
    {
        let found = violations.map { violation in
            "<li>\(HTMLText.escaped(violation.explanation)) (records \(violation.records.map(String.init).joined(separator: ", ")))</li>"
        }
        let page = TracePage(
            title: "Invariant \(invariant.rawValue): \(invariant.promise)",
            lead:
                "<p>Host \(HTMLText.escaped(host)). Where a violation was seen is marked ✘.</p>\n<ul>\(found.joined(separator: "\n"))</ul>"
        )
        return page.text([
            (
                TracePage.Run(
                    label: "host \(host)",
                    isGood: false,
                    marks: violations.compactMap(\.records.last).sorted()
                ), records
            )
        ])
    }

    /// Steps for `scenectl play`: the calls sent to these scenes, or to all if none is given, and those that concern every
    /// window.
    private static func script(_ sent: [RecentCalls.Sent], scenes: Set<String>) -> [String] {
        let chosen = sent.filter { sent in
            guard let scene = sent.call.scene else { return true }
            return scenes.isEmpty || scenes.contains(scene) || sent.call.method.hasPrefix("io.scened.Session.")
        }
        guard let first = chosen.first else { return [] }
        // The script has to run on an empty daemon.
        let windows = Set(chosen.compactMap(\.call.scene)).sorted().map { scene in
            JSONValue.object(["at": 0, "call": "Scenes.Connect", "parameters": ["scene": .string(scene)]]).text()
        }
        return windows
            + chosen.map { sent in
                JSONValue.object([
                    "at": .integer((sent.at - first.at).milliseconds),
                    "call": .string(String(sent.call.method.dropFirst("io.scened.".count))),
                    "parameters": .object(sent.call.parameters),
                ]).text()
            }
    }
}
