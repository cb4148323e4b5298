internal import SceneNavigation
internal import SceneRouting

extension Intent {
    /// A parameter that the intent cannot be without.
    func parameter(_ name: String) throws -> String {
        guard let value = parameters[name] else { throw MissingParameter(intent: self.name, parameter: name) }
        return value
    }

    /// The destination of this name that takes one parameter of the intent.
    func destination(_ id: String, taking parameter: String) throws -> Destination {
        Destination(id: id, parameters: [parameter: try self.parameter(parameter)])
    }
}

/// An intent that its screen should not have reported so.
struct MissingParameter: Error, CustomStringConvertible {
    let intent: String
    let parameter: String
    var description: String { "\(intent) needs '\(parameter)'" }
}
