internal import CommandConsole
internal import SceneClient
internal import SceneRouting
internal import StrictJSON
internal import Varlink

/// The daemon's interfaces, by which a script is checked before its first call is made.
struct ScriptInterfaces {
    private static let prefix = "io.scened."

    private let interfaces: [VarlinkInterface]

    init(_ client: SceneClient) async throws { interfaces = try await client.interfaces() }

    /// The interface of a step's method, and what the method answers; `nil` if the daemon does not have it.
    func results(of step: ScriptStep) -> (interface: VarlinkInterface, fields: [VarlinkField])? {
        let (name, method) = step.parts
        guard let interface = interface(name), let results = interface.method(method)?.results else { return nil }
        return (interface, results)
    }

    /// The daemon's interface of this name without its prefix.
    private func interface(_ name: String) -> VarlinkInterface? { interfaces.first { $0.name == Self.prefix + name } }

    /// Each error of this name, without its interface, and the interface that declares it.
    func errors(named name: String) -> [(interface: VarlinkInterface, fields: [VarlinkField])] {
        interfaces.compactMap { interface in interface.error(name).map { (interface, $0) } }
    }

    /// The names of all errors that a call may be answered with.
    var errorNames: [String] {
        Set(interfaces.flatMap(\.errorNames)).sorted()
    }

    /// Refuses a step whose method the daemon does not have. A step that expects an error may have one.
    func check(_ step: ScriptStep, at place: String) throws(CommandError) {
        guard step.expect?["error"] == nil else { return }
        let (name, method) = step.parts
        guard let interface = interface(name) else {
            let known = interfaces.map(\.name).filter { $0.hasPrefix(Self.prefix) }
                .map { String($0.dropFirst(Self.prefix.count)) }
            throw Self.unknown(name, "interface of the daemon", among: known, in: step, at: place)
        }
        guard interface.methodNames.contains(method) else {
            throw Self.unknown(method, "method of \(name)", among: interface.methodNames, in: step, at: place)
        }
    }

    /// - Parameters:
    ///   - what: What the name is not.
    ///   - known: What it can be.
    static func unknown(
        _ name: String,
        _ what: String,
        among known: [String],
        in step: ScriptStep,
        at place: String
    ) -> CommandError {
        let meant = Spelling.nearest(to: name, among: known.sorted()).map {
            "Did you mean '\(step.call.replacing(name, with: $0, maxReplacements: 1))'?"
        }
        let list = "It can be \(known.sorted().joined(separator: ", "))."
        return .usage("\(place): call: '\(name)' is no \(what). \(meant ?? list)")
    }
}
