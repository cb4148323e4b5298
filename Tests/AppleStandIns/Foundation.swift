// A stand-in for what we, and the stand-in of UIKit, use of Foundation.

extension String {
    public var precomposedStringWithCanonicalMapping: String { self }
}

public protocol NSObjectProtocol: AnyObject {}

open class NSObject: NSObjectProtocol, Hashable {
    public init() {}

    public static func == (one: NSObject, other: NSObject) -> Bool { one === other }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

public protocol NSSecureCoding {}

open class NSCoder: NSObject {}

open class Bundle: NSObject {}

public final class NSNumber: NSObject, ExpressibleByIntegerLiteral {
    public let boolValue: Bool
    public let doubleValue = 0.0
    public let intValue = 0
    public let uint64Value: UInt64 = 0

    public init(value: Bool) { boolValue = value }

    public init(integerLiteral value: Int) { boolValue = value == 1 }

    public var objCType: UnsafePointer<CChar> { UnsafePointer(bitPattern: 1).unsafelyUnwrapped }
}

public struct URL: Hashable, Sendable {
    public var absoluteString: String { "" }
}

public struct UUID: Hashable, Sendable {
    public var uuidString: String { "" }
}

public struct Data: Hashable, Sendable {
    public func base64EncodedString() -> String { "" }
}

public struct Date: Hashable, Sendable {
    public var timeIntervalSince1970: Double { 0 }
    public func ISO8601Format() -> String { "" }
}

/// A rectangle, of which the stand-in of UIKit has the empty one only.
public struct CGRect: Sendable {
    public static let zero = CGRect()
}
