internal import SceneVocabulary

/// The windows that the app asked for and that have not begun, those that it closed and that are not gone, and those that it refreshed
/// and that are not back (<doc:/SceneRuntime/Scenes>). A part of ``Continuity``.
struct RequestedWindows {
    private struct Request {
        let index: Int
        let destination: Destination
        let configuration: String?
        let connection: Int?
    }

    /// The windows that have not begun, by scene.
    private var opening: [String: Request] = [:]
    /// The records by which the app closed windows that are not gone, by scene.
    private var closing: [String: Int] = [:]
    /// Those of them that were closed before the host went on after its end: what closed them may begin again, in them.
    private var closedBefore: Set<String> = []
    /// The records by which the app refreshed windows that are disconnected, by scene.
    private var refreshing: [String: Int] = [:]
    /// What windows are for, if that is known; `nil` for those that are for nothing.
    private var purposes: [String: Destination?] = [:]
    /// The records by which the app closed other windows than these, which are for the same. They may be gone already, and no record
    /// says so yet.
    private var passedOver: [String: Int] = [:]

    mutating func judge(_ record: HistoryRecord, _ history: KnownHost, _ findings: inout Findings) {
        if case .hostRestarted = record.body { goOn() }
        guard let scene = record.scene else { return }
        switch record.body {
        case .windowRequested(.close(let window?)):
            judge(record, window, history, &findings)
            // Its own is closed last, when others may have been opened for the same.
            for (other, purpose) in purposes
            where window.scene != scene && other != scene && purpose == window.destination && closing[other] == nil {
                if passedOver[other] == nil { passedOver[other] = record.index }
            }
            guard let target = window.scene else { return }
            passedOver[target] = nil
            if let before = closing.updateValue(record.index, forKey: target), closedBefore.remove(target) == nil {
                findings.violated([before, record.index], "scene \(target) was closed twice")
            }
        case .windowRequested(.refresh(let window)):
            if let window { judge(record, window, history, &findings) }
            guard let target = window?.scene else { return }
            if let before = closing[target], !closedBefore.contains(target) {
                findings.violated([before, record.index], "scene \(target) was refreshed after it was closed")
            }
            if history.scenes[target]?.phase == .disconnected { refreshing[target] = record.index }
        case .windowRequested(.close(nil)):
            if let before = closing.updateValue(record.index, forKey: scene), closedBefore.remove(scene) == nil {
                findings.violated([before, record.index], "scene \(scene) was closed twice")
            }
        case .windowRequested(.open(let destination, let configuration, let opened, let error)):
            if let before = closing[scene], !closedBefore.contains(scene) {
                findings.violated([before, record.index], "scene \(scene) asked for a window after it was closed")
            }
            if (opened == nil) == (error == nil) {
                return findings.violated([record.index], "a window was asked for, and it both opened and was denied")
            }
            guard let opened else { return }
            if history.scenes[opened] != nil {
                findings.violated([record.index], "the new window is to be scene \(opened), which is there already")
            }
            if let before = opening[opened] {
                findings.violated([before.index, record.index], "scene \(opened) was asked for twice")
            }
            opening[opened] = Request(
                index: record.index,
                destination: destination,
                configuration: configuration,
                connection: record.connection
            )
        case .sceneConnected(let configuration, let restored, _, _):
            refreshing[scene] = nil
            if !restored || history.scenes[scene] == nil && !history.isAwaited(scene) { purposes[scene] = .some(nil) }
            guard let request = opening[scene] else { return }
            if restored || request.configuration.map({ $0 != configuration }) ?? false {
                findings.violated([request.index, record.index], "scene \(scene) did not open as it was asked for")
            }
        case .eventAdmitted(let arrival):
            if let index = passedOver.removeValue(forKey: scene) {
                findings.violated([index, record.index], "scene \(scene) is for the same, but was not closed")
            }
            if arrival.choice == .new, arrival.set == nil { purposes[scene] = arrival.destination }
            judge(record, arrival, in: scene, history, &findings)
        case .dispatchBegan:
            guard let index = closing[scene], !closedBefore.contains(scene) else { return }
            findings.violated([index, record.index], "something began in scene \(scene), which the app had closed")
        case .sceneDiscarded:
            closing[scene] = nil
            closedBefore.remove(scene)
            refreshing[scene] = nil
            passedOver[scene] = nil
            purposes[scene] = nil
        default: return
        }
    }

    /// The host goes on after its end: which windows were about to go or to come back is not known any more, but for those that are closed.
    private mutating func goOn() {
        closedBefore = Set(closing.keys)
        refreshing = [:]
        passedOver = [:]
    }

    /// A window that is closed or refreshed is there, and for what it is named by.
    private func judge(
        _ record: HistoryRecord,
        _ window: HistoryRecord.WindowRequest.NamedWindow,
        _ history: KnownHost,
        _ findings: inout Findings
    ) {
        guard let scene = window.scene else { return }
        if history.scenes[scene] == nil, !history.isPartlyUnknown {
            findings.violated([record.index], "scene \(scene) is named, which is not there")
        }
        if let purpose = purposes[scene], purpose != window.destination {
            let right = purpose.map { "for \($0)" } ?? "for nothing"
            findings.violated([record.index], "scene \(scene) is \(right), not for \(window.destination)")
        }
    }

    /// A window that the app asked for begins with where it is to lead, and no other does.
    private mutating func judge(
        _ record: HistoryRecord,
        _ arrival: HistoryRecord.Arrival,
        in scene: String,
        _ history: KnownHost,
        _ findings: inout Findings
    ) {
        let request = opening.removeValue(forKey: scene)
        guard arrival.isForRequestedWindow || request != nil else { return }
        guard let request else {
            // Who asked may be among what is not known yet.
            if history.isPartlyUnknown { return }
            return findings.violated([record.index], "nobody asked for the window of scene \(scene)")
        }
        if !arrival.isForRequestedWindow || arrival.destination != request.destination
            || record.connection != request.connection
        {
            findings.violated(
                [request.index, record.index],
                "scene \(scene) was asked for \(request.destination), but does not begin with that"
            )
        }
    }

    /// What is not done yet.
    func debts(at rest: Rest) -> [Violation] {
        opening.sorted { $0.key < $1.key }.map { scene, request in
            Violation([request.index], "scene \(scene) was asked for, but nothing was admitted to it")
        }
            + closing.sorted { $0.key < $1.key }.map { scene, index in
                Violation([index], "the app closed scene \(scene), but it is still there")
            }
            + passedOver.sorted { $0.key < $1.key }.map { scene, index in
                Violation([index], "scene \(scene) is for what the app closed, but it is still there")
            }
            // A host that stops brings nothing back.
            + (rest == .quiet ? refreshing : [:]).sorted { $0.key < $1.key }.map { scene, index in
                Violation([index], "the app refreshed scene \(scene), but it is still disconnected")
            }
    }
}
