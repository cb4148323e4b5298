/// What `org.varlink.service.GetInfo` says about a service.
public struct VarlinkIdentity: Hashable, Sendable {
    /// Who makes the service.
    public var vendor: String
    /// The name of the service.
    public var product: String
    /// Its version, in any form.
    public var version: String
    /// Where to read about it.
    public var url: String

    /// An identity; all four are shown to clients as they are.
    public init(vendor: String, product: String, version: String, url: String) {
        self.vendor = vendor
        self.product = product
        self.version = version
        self.url = url
    }
}

/// The interface that every service implements.
enum VarlinkIntrospection {
    static let source = """
        # The Varlink Service Interface is provided by every varlink service. It
        # describes the service and the interfaces it implements.
        interface org.varlink.service

        # Get a list of all the interfaces a service provides and information
        # about the implementation.
        method GetInfo() -> (
          vendor: string,
          product: string,
          version: string,
          url: string,
          interfaces: []string
        )

        # Get the description of an interface that is implemented by this service.
        method GetInterfaceDescription(interface: string) -> (description: string)

        # The requested interface was not found.
        error InterfaceNotFound (interface: string)

        # The requested method was not found
        error MethodNotFound (method: string)

        # The interface defines the requested method, but the service does not
        # implement it.
        error MethodNotImplemented (method: string)

        # One of the passed parameters is invalid. The reason, which is an addition,
        # says what is wrong with it and what is expected.
        error InvalidParameter (parameter: string, reason: ?string)

        # Client is denied access. The role, which is an addition, says what would
        # be needed.
        error PermissionDenied (role: ?string)

        # Method is expected to be called with 'more' set to true, but wasn't
        error ExpectedMore ()

        """

    /// If the text above could not be parsed this would be an empty interface, which a test would notice.
    static let interface = (try? VarlinkInterface(parsing: source)) ?? VarlinkInterface(name: "org.varlink.service")
}
