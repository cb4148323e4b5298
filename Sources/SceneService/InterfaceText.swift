/// The interface files of `protocol/`, compiled in. Introspection returns exactly these.
enum InterfaceText {
    static let adapters = text(PackageResources.io_scened_Adapters_varlink)
    static let control = text(PackageResources.io_scened_Control_varlink)
    static let events = text(PackageResources.io_scened_Events_varlink)
    static let manager = text(PackageResources.io_scened_Manager_varlink)
    static let recording = text(PackageResources.io_scened_Recording_varlink)
    static let records = text(PackageResources.io_scened_Records_varlink)
    static let routing = text(PackageResources.io_scened_Routing_varlink)
    static let scenes = text(PackageResources.io_scened_Scenes_varlink)
    static let session = text(PackageResources.io_scened_Session_varlink)

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
