public import StrictJSON

/// An error that a service answers: its full name and its parameters.
public struct VarlinkError: Error, Hashable, Sendable {
    /// The full name: interface, dot, error.
    public var name: String
    /// The members that the interface declares for the error.
    public var parameters: JSONObject

    /// An error by its full name, without parameters by default.
    public init(_ name: String, _ parameters: JSONObject = [:]) {
        self.name = name
        self.parameters = parameters
    }
}

extension VarlinkError: CustomStringConvertible {
    /// The name and, if there are any, the parameters as JSON.
    public var description: String {
        parameters.isEmpty ? name : "\(name) \(JSONValue.object(parameters).text())"
    }
}

/// The errors of `org.varlink.service`, which every service may answer.
extension VarlinkError {
    /// The service has no such interface.
    public static func interfaceNotFound(_ interface: String) -> VarlinkError {
        VarlinkError("org.varlink.service.InterfaceNotFound", ["interface": .string(interface)])
    }

    /// The interface has no such method. `method` is the full name.
    public static func methodNotFound(_ method: String) -> VarlinkError {
        VarlinkError("org.varlink.service.MethodNotFound", ["method": .string(method)])
    }

    /// The interface declares the method, but the service does not implement it. `method` is the full name.
    public static func methodNotImplemented(_ method: String) -> VarlinkError {
        VarlinkError("org.varlink.service.MethodNotImplemented", ["method": .string(method)])
    }

    /// A parameter is missing, unknown, of the wrong type or otherwise not allowed. `parameter` is its path, such as
    /// `stack[0].id`; `reason` says what is wrong and what is expected, where the type alone does not.
    public static func invalidParameter(_ parameter: String, reason: String? = nil) -> VarlinkError {
        var parameters: JSONObject = ["parameter": .string(parameter)]
        if let reason { parameters["reason"] = .string(reason) }
        return VarlinkError("org.varlink.service.InvalidParameter", parameters)
    }

    /// The peer may not call the method.
    public static let permissionDenied = VarlinkError("org.varlink.service.PermissionDenied")

    /// The method answers more than once and must be called with `more`.
    public static let expectedMore = VarlinkError("org.varlink.service.ExpectedMore")
}
