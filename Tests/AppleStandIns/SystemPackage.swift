public struct FilePath { public init(_ text: String) {} }
public struct FilePermissions { public static var ownerReadWrite: Self { Self() } }
public struct FileDescriptor {
    public struct AccessMode {
        public static var readOnly: Self { Self() }; public static var writeOnly: Self { Self() }
    }
    public struct OpenOptions: OptionSet {
        public let rawValue: Int; public init(rawValue: Int) { self.rawValue = rawValue }
        public static var create: Self { Self(rawValue: 1) }; public static var truncate: Self { Self(rawValue: 2) };
        public static var closeOnExec: Self { Self(rawValue: 4) }
    }
    public static func open(
        _ path: FilePath,
        _ mode: AccessMode,
        options: OpenOptions = [],
        permissions: FilePermissions? = nil
    ) throws -> FileDescriptor { FileDescriptor() }
    public func closeAfter<R>(_ body: () throws -> R) throws -> R { try body() }
    public func read(into: UnsafeMutableRawBufferPointer) throws -> Int { 0 }
    public func writeAll<S: Sequence>(_ bytes: S) throws -> Int where S.Element == UInt8 { 0 }
}
