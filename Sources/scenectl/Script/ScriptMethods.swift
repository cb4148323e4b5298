internal import SceneClient
internal import SceneRouting
internal import StrictJSON

/// The daemon's methods, by which a script is checked before its first call is made.
enum ScriptMethods {
    private static let prefix = "io.scened."

    /// Refuses a script that calls a method which the daemon does not have. A step that expects an error may.
    static func check(_ steps: [ScriptStep], in file: String, _ client: SceneClient) async throws {
        let info = try await client.call("org.varlink.service.GetInfo")
        let interfaces = (info["interfaces"]?.arrayValue ?? []).compactMap(\.stringValue)
            .filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
        var methods: [String: [String]] = [:]
        for (index, step) in steps.enumerated() where step.expect?["error"] == nil {
            let place = "\(file), step \(index + 1): call"
            let interface = String(step.call.prefix { $0 != "." })
            guard interfaces.contains(interface) else {
                throw unknown(interface, "interface of the daemon", among: interfaces, in: step, at: place)
            }
            if methods[interface] == nil { methods[interface] = try await names(interface, client) }
            let method = String(step.call.dropFirst(interface.count + 1))
            let known = methods[interface] ?? []
            guard known.contains(method) else {
                throw unknown(method, "method of \(interface)", among: known, in: step, at: place)
            }
        }
    }

    /// The names of an interface's methods.
    private static func names(_ interface: String, _ client: SceneClient) async throws -> [String] {
        let reply = try await client.call(
            "org.varlink.service.GetInterfaceDescription",
            ["interface": .string(prefix + interface)]
        )
        return (reply["description"]?.stringValue ?? "").split(separator: "\n").compactMap { line in
            line.hasPrefix("method ") ? String(line.dropFirst("method ".count).prefix { $0 != "(" && $0 != " " }) : nil
        }
    }

    private static func unknown(
        _ name: String,
        _ what: String,
        among known: [String],
        in step: ScriptStep,
        at place: String
    ) -> CommandError {
        let meant = Spelling.nearest(to: name, among: known).map {
            "Did you mean '\(step.call.replacing(name, with: $0, maxReplacements: 1))'?"
        }
        let list = "It can be \(known.sorted().joined(separator: ", "))."
        return .usage("\(place): '\(name)' is no \(what). \(meant ?? list)")
    }
}
