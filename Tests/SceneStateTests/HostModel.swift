import Basics
import Foundation
import SceneRouting
@testable import SceneRuntime
import Testing

/// What a host finds again after some steps, as the contract says it, with nothing but lists.
struct HostModel {
    private(set) var host: KeptHost
    private let remembered: Int
    private var open: [KeptEvent] = []
    private var ended: [KeptEvent] = []

    /// - Parameter events: How many events that have ended are remembered.
    init(_ host: KeptHost, events: Int) {
        self.host = host
        remembered = events
    }

    mutating func take(_ step: KeptStep, wall: Double) {
        step.changes.forEach { take($0) }
        if let record = step.records.last { host.lastRecord = (record.index, record.time, wall) }
        ended = ended.suffix(remembered)
        host.events = open + ended
    }

    private mutating func take(_ change: KeptChange) {
        switch change {
        case .session(let session): host.session = session
        case .manifest(let manifest):
            let all = (host.formerManifests + [host.manifest]).filter {
                $0.digest != manifest.digest || $0.json != manifest.json
            }
            host.formerManifests = all.suffix(KeptChange.mostManifests - 1)
            host.manifest = manifest
        case .scene(let scene):
            host.scenes.removeAll { $0.id == scene.id }
            host.scenes.append(scene)
            host.scenes.sort { $0.number < $1.number }
            host.openedScenes = max(host.openedScenes, scene.number)
            if let number = Self.number(scene.id, "scene-") { host.lastMadeScene = max(host.lastMadeScene, number) }
        case .purpose(let scene, let destination): host.purposes[scene] = destination
        case .unlocked(let scene):
            for index in host.scenes.indices where host.scenes[index].id == scene {
                host.scenes[index].isLocked = false
            }
        case .closing(let scene): if host.scenes.contains(where: { $0.id == scene }) { host.closing.insert(scene) }
        case .sceneGone(let id):
            host.scenes.removeAll { $0.id == id }
            host.closing.remove(id)
            host.purposes[id] = nil
            host.lastTickets.removeValue(forKey: id)
        case .event(let event):
            open.removeAll { $0.key == event.key }
            ended.removeAll { $0.key == event.key }
            if event.receipt.outcome.isTerminal { ended.append(event) } else { open.append(event) }
            if let ticket = event.receipt.ticket { host.lastTickets.updateValue(ticket, forKey: event.receipt.scene) }
            if event.isKeyMade, let number = Self.number(event.key.id, "auto-") {
                host.lastMadeEvent = max(host.lastMadeEvent, number)
            }
        case .began(let key, let attempt): update(key) { $0.attempt = attempt }
        case .effect(let key, let effect): update(key) { $0.effects.append(effect) }
        case .outcome(let key, let receipt):
            update(key) { $0.receipt = receipt }
            if receipt.outcome.isTerminal, let index = open.firstIndex(where: { $0.key == key }) {
                ended.append(open.remove(at: index))
            }
        case .choice(let user, let destination, let variant):
            let index = host.choices.firstIndex { $0.user == user && $0.destination == destination }
            if let index {
                host.choices[index].variant = variant
            } else {
                host.choices.append((user, destination, variant))
            }
        }
    }

    private mutating func update(_ key: EventKey, _ body: (inout KeptEvent) -> Void) {
        for index in open.indices where open[index].key == key { body(&open[index]) }
        for index in ended.indices where ended[index].key == key { body(&ended[index]) }
    }

    private static func number(_ id: String, _ prefix: String) -> Int? {
        id.hasPrefix(prefix) ? Int(id.dropFirst(prefix.count)) : nil
    }
}

/// A value as a text that is the same exactly for equal values, whatever its type: sets and dictionaries are sorted.
func outline(_ value: Any) -> String {
    if let text = value as? String { return text.debugDescription }
    let mirror = Mirror(reflecting: value)
    let parts: [String] = mirror.children.map { child in
        let name = child.label.map { "\($0): " } ?? ""
        return name + outline(child.value)
    }
    switch mirror.displayStyle {
    case .set, .dictionary: return "{\(parts.sorted().joined(separator: ", "))}"
    case .collection: return "[\(parts.joined(separator: ", "))]"
    case .optional where parts.isEmpty: return "nil"
    default: return parts.isEmpty ? "\(value)" : "\(mirror.subjectType)(\(parts.joined(separator: ", ")))"
    }
}

/// Expects a host that was read back to be this one.
func expect(
    _ found: KeptHost?,
    is expected: KeptHost,
    _ comment: Comment? = nil,
    at location: SourceLocation = #_sourceLocation
) {
    guard let found else {
        Issue.record("there is no host", sourceLocation: location)
        return
    }
    for (one, other) in zip(Mirror(reflecting: found).children, Mirror(reflecting: expected).children) {
        let isSame = outline(one.value).utf8.elementsEqual(outline(other.value).utf8)
        let difference = "\(one.label ?? ""): \(outline(one.value)) instead of \(outline(other.value))"
        #expect(isSame, "\(difference), \(comment ?? "")", sourceLocation: location)
    }
}
