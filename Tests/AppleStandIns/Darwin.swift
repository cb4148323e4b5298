@_exported public import DarwinHeader

// What Swift's overlay of the C library adds.

public var errno: Int32 { __error().pointee }
public func fcntl(_ file: Int32, _ command: Int32, _ value: Int32) -> Int32 { 0 }
