internal import SceneRouting
internal import SceneRuntime
internal import StrictJSON
internal import Varlink

extension VarlinkError {
    /// The error, with the name or route that was probably meant if it is about one that the host does not know.
    func suggesting(from host: SceneHost) -> VarlinkError {
        let error = name.split(separator: ".").last ?? ""
        guard error != "MemberRefused" else { return suggestingForMember(from: host) }
        guard let meant = Self.meant(error, parameters, host) else { return self }
        var parameters = parameters
        parameters["suggestion"] = .string(meant)
        return VarlinkError(name, parameters)
    }

    /// Of several URLs, the error about the one that is refused has the suggestion.
    private func suggestingForMember(from host: SceneHost) -> VarlinkError {
        guard let member = parameters["parameters"]?.objectValue,
            let meant = Self.meant(Substring(parameters["error"]?.stringValue ?? ""), member, host)
        else { return self }
        var (refused, parameters) = (member, parameters)
        refused["suggestion"] = .string(meant)
        parameters["parameters"] = .object(refused)
        return VarlinkError(name, parameters)
    }

    private static func meant(_ error: Substring, _ parameters: JSONObject, _ host: SceneHost) -> String? {
        func nearest(_ field: String, _ names: @autoclosure () -> [String]) -> String? {
            guard let name = parameters[field]?.stringValue, let meant = Spelling.nearest(to: name, among: names())
            else {
                return nil
            }
            // One letter is as near to every other.
            return name.utf8.count > 1 || name.lowercased() == meant.lowercased() ? meant : nil
        }
        switch error {
        case "UnknownScene": return nearest("scene", host.scenes.map(\.id))
        case "UnknownConfiguration": return nearest("configuration", host.manifest.configurations.map(\.name))
        case "UnknownRoute": return (parameters["url"]?.stringValue).flatMap(host.engine.nearestRoute(to:))
        // What a component excludes is spelt right.
        case "NotAssociated" where parameters["component"] == "":
            return (parameters["url"]?.stringValue).flatMap(host.engine.nearestRoute(to:))
        default: return nil
        }
    }
}
