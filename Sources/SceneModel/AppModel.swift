package import SceneRouting
package import SceneVocabulary

/// The contract (<doc:/SceneRuntime>) once more, as pure functions: what a host does with an app, by the app's
/// manifest.
///
/// It was written from the contract to be compared with the runtime, and shares no code with it that decides anything: of
/// SceneRouting it uses the declarations that a manifest consists of, never the engine. It prefers to be read beside the
/// contract over being fast.
///
/// A class rather than a struct: it is passed on for every record, and copying it would retain dozens of parts.
package final class AppModel: Sendable {
    /// The app.
    let manifest: AppManifest
    private let destinations: [String: DestinationDeclaration]
    private let flows: [String: FlowDeclaration]
    /// For each destination those that have it in their ancestry.
    private let descendants: [String: [DestinationDeclaration]]
    /// The destinations to which the app itself leads, by an effect that routes or opens a window.
    private let ledTo: Set<String>
    let preconditions: [String: PreconditionDeclaration]
    let conditions: [String: ConditionDeclaration]
    let facts: [String: FactDeclaration]
    /// What each destination needs, in the order in which it is judged: its own conditions that look at nobody, the roots,
    /// because it is shown only while they are not, its own preconditions, its other conditions. A screen of a root flow and
    /// what is presented over whatever is shown do not need the roots.
    private let needs: [String: [String]]
    /// The conditions that are judged after the preconditions: those that look at the user.
    let personal: Set<String>
    /// The names whose truth each commit records: preconditions and conditions that look at no parameter and not at the time.
    /// Sorted.
    package let recordedNames: [String]
    /// Whether a precondition, a condition or that of a variant looks at the time.
    package let looksAtTime: Bool
    /// Whether each destination may be shown to nobody, as far as the manifest decides it.
    private let isForNobody: [String: Bool]
    /// The session as it would be if nobody were signed in.
    let nobody: KnownFacts

    /// The manifest's digest, by which records name it.
    package let digest: String

    /// A model of an app whose manifest has been checked.
    package convenience init(_ manifest: AppManifest) { self.init(manifest, digest: manifest.digest) }

    /// A model of an app that records name by this digest.
    ///
    /// - Parameter gatesFirst: Whether all conditions are judged after the preconditions.
    package init(_ manifest: AppManifest, digest: String, gatesFirst: Bool = false) {
        self.manifest = manifest
        self.digest = digest
        destinations = Dictionary(manifest.destinations.map { ($0.id, $0) }) { first, _ in first }
        flows = Dictionary(manifest.flows.map { ($0.name, $0) }) { first, _ in first }
        var descendants: [String: [DestinationDeclaration]] = [:]
        for declaration in manifest.destinations {
            for ancestor in declaration.ancestry { descendants[ancestor, default: []].append(declaration) }
        }
        self.descendants = descendants
        let led = (manifest.intents.flatMap(\.effects) + manifest.flows.flatMap(\.effects)).compactMap { effect in
            switch effect.unconditional {
            case .route(let target, _), .openWindow(let target, _, _): target
            default: nil
            }
        }
        let ledToInstead = led.flatMap { [destinations] in destinations[$0]?.variants.map(\.destination) ?? [] }
        ledTo = Set(led + ledToInstead)
        // A root flow is a precondition of every destination, under the flow's name (<doc:/SceneRuntime/TheSession>).
        let roots = manifest.roots.map {
            PreconditionDeclaration(name: $0.flow, holds: .not($0.when), flow: $0.flow)
        }
        // So is the flow of the lock; whether that holds is up to the window.
        let lock = manifest.lock.map { [PreconditionDeclaration(name: $0.flow, holds: .always, flow: $0.flow)] } ?? []
        preconditions = Dictionary((roots + lock + manifest.preconditions).map { ($0.name, $0) }) { first, _ in first }
        conditions = Dictionary(manifest.conditions.map { ($0.name, $0) }) { first, _ in first }
        facts = Dictionary(manifest.facts.map { ($0.name, $0) }) { first, _ in first }
        let rootFlows = manifest.roots.map(\.flow)
        let ofRoots = Set(manifest.flows.filter { rootFlows.contains($0.name) }.flatMap { $0.screens.map(\.id) })
        let ofUser = Set(manifest.facts.filter { $0.scope == .user }.map(\.name))
        let personal = Set(
            manifest.conditions.filter { gatesFirst || Self.looks($0.holds, at: .user(facts: ofUser)) }.map(\.name)
        )
        self.personal = personal
        needs = destinations.mapValues { declaration in
            declaration.conditions.filter { !personal.contains($0) }
                + (declaration.isOverCurrent || ofRoots.contains(declaration.id) ? [] : rootFlows)
                + declaration.preconditions
                + declaration.conditions.filter(personal.contains)
        }
        recordedNames =
            (preconditions.values.map { ($0.name, $0.holds) } + conditions.values.map { ($0.name, $0.holds) })
            .filter {
                !Self.looks($0.1, at: .time) && !Self.looks($0.1, at: .parameters) && $0.0 != manifest.lock?.flow
            }
            .map(\.0).sorted()
        let variants = manifest.destinations.flatMap(\.variants).map(\.when)
        looksAtTime = (preconditions.values.map(\.holds) + conditions.values.map(\.holds) + variants).contains {
            Self.looks($0, at: .time)
        }
        let nobody = KnownFacts(nobodyWith: facts)
        self.nobody = nobody
        let predicates = preconditions.mapValues(\.holds).merging(conditions.mapValues(\.holds)) { first, _ in first }
        isForNobody = needs.compactMapValues { needs in
            Self.all(needs.map { need in predicates[need].flatMap { Self.holds($0, nobody) } })
        }
    }

    func destination(_ id: String) -> DestinationDeclaration? { destinations[id] }

    /// The destinations that have this one in their ancestry.
    func descendants(of id: String) -> [DestinationDeclaration] { descendants[id] ?? [] }

    /// Whether the app itself leads to the destination, or to one whose variant it is.
    func isLedTo(_ id: String) -> Bool { ledTo.contains(id) }

    func flow(_ name: String) -> FlowDeclaration? { flows[name] }

    /// The name of the flow that satisfies a precondition; `nil` if there is no such precondition.
    package func flow(ofPrecondition name: String) -> String? { preconditions[name]?.flow }

    /// Whether anything of this ID can be on screen: a destination, or a screen of a flow.
    package func isScreen(_ id: String) -> Bool {
        destinations[id] != nil || manifest.flows.contains { $0.screens.contains { $0.id == id } }
    }

    /// What a destination needs to be shown, in order; nothing for a screen that only a flow has.
    package func needs(of id: String) -> [String] { needs[id] ?? [] }

    /// The same app as hosts judged it whose records are older than format 3: all conditions after the preconditions.
    package var withGatesFirst: AppModel { AppModel(manifest, digest: digest, gatesFirst: true) }

    /// Whether the destination may be shown to nobody; `nil` if the manifest does not decide it. A screen that only a flow has
    /// may be.
    package func isForNobody(_ id: String) -> Bool? { needs[id] == nil ? true : isForNobody[id] }

    /// Why the app has no such destination, as a clause; `nil` if it has. The values of parameters are not looked at.
    package func objection(to destination: Destination) -> String? {
        guard let declaration = destinations[destination.id] else {
            return "the app has no destination \(destination.id)"
        }
        let names = Set(declaration.parameters.map(\.name))
        if let extra = destination.parameters.keys.filter({ !names.contains($0) }).min() {
            return "\(destination.id) has no parameter \(extra)"
        }
        let missing = declaration.parameters.first {
            $0.isRequired && $0.defaultValue == nil && $0.variantDefaults.isEmpty
                && destination.parameters[$0.name] == nil
        }
        return missing.map { "\(destination.id) needs the parameter \($0.name)" }
    }

    /// Whether a route, given by its pattern, leads to the destination.
    package func leads(_ pattern: String, to id: String) -> Bool {
        // A pattern may name its destination itself: `{target}`.
        manifest.routes.contains { $0.pattern == pattern && ($0.destination == id || $0.destination.hasPrefix("{")) }
    }

    /// Whether there is such a kind of window.
    package func isConfiguration(_ name: String) -> Bool { manifest.configurations.contains { $0.name == name } }

    /// The app's name and the manifest's version, as records give them.
    package var name: String { manifest.name }
    package var version: String { manifest.version }

    /// What happens to a newer event from outside while an intent is parked: `supersede`, `queue` or `reject`.
    package var whileGated: String { manifest.policies.whileGated.rawValue }

    /// The flow that unlocks a window, under whose name the lock is a precondition of every destination; `nil` if windows do not lock.
    package var lockFlow: String? { manifest.lock?.flow }

    /// How many scenes there may be.
    package var maximumScenes: Int { manifest.policies.maximumScenes }

    /// How many screens a stack may have, and how many presentations there may be.
    package var maximumStackDepth: Int { manifest.policies.maximumStackDepth }

    /// What is shown when an event is rejected, if anything.
    package var fallback: Destination? { manifest.fallback.map { filled($0) ?? $0 } }

    /// The destination with the defaults of its parameters; `nil` if one depends on the market or the locale.
    func filled(_ destination: Destination) -> Destination? {
        var parameters = destination.parameters
        for parameter in destinations[destination.id]?.parameters ?? [] where parameters[parameter.name] == nil {
            if !parameter.variantDefaults.isEmpty { return nil }
            parameters[parameter.name] = parameter.canonicalDefault
        }
        return Destination(id: destination.id, parameters: parameters)
    }

    /// Whether the destination is presented over whatever is shown, which takes nothing away.
    package func isOverCurrent(_ id: String) -> Bool { destinations[id]?.isOverCurrent ?? false }

    /// Whether the destination may be pushed onto itself.
    package func repeats(_ id: String) -> Bool { destinations[id]?.repeats ?? false }
}

extension ParameterDeclaration {
    /// The default as a destination gets it. A text other than ASCII may get another form; see ``AppModel/canonical(_:_:)``.
    var canonicalDefault: String? {
        guard let text = defaultValue else { return nil }
        return switch type {
        case .integer: Int(text).map { "\($0)" }
        case .uuid: text.lowercased()
        case .date: Instant.canonical(text)
        case .string, .oneOf, .pattern, .list: text
        }
    }
}
