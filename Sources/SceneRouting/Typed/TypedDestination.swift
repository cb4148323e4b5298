public import SceneVocabulary

/// The destinations of an app, or the screens of one of its flows, as a type whose cases have typed parameters. `scenectl app swift`
/// writes one from a manifest (<doc:/SceneDaemon/TypedRoutes>).
public protocol TypedDestination: Hashable, Sendable {
    /// The typed form of a destination.
    /// - Throws: ``TypedValueError`` if there is no such case, or a parameter is missing or not of its type.
    init(of destination: Destination) throws(TypedValueError)

    /// The destination itself.
    var destination: Destination { get }
}

extension TypedDestination {
    /// The typed form of a destination; `nil` if there is no such case, or a parameter is missing or not of its type.
    public init?(_ destination: Destination) {
        do throws(TypedValueError) { try self.init(of: destination) } catch { return nil }
    }
}

/// Why a destination or an intent has no typed form.
public struct TypedValueError: Error, Hashable, Sendable {
    /// What was looked at, such as `product` or `product.id`.
    public let name: String
    /// What is wrong with it.
    public let problem: Problem

    /// What can be wrong.
    public enum Problem: Hashable, Sendable {
        /// No case of the type has the name.
        case unknown
        /// The parameter is missing.
        case missing
        /// The parameter's text is no value of the type that is named.
        case isNot(String)
    }

    /// A destination or an intent of which the type has no case.
    public static func unknown(_ name: String) -> TypedValueError { TypedValueError(name: name, problem: .unknown) }
}

extension TypedValueError: CustomStringConvertible {
    /// In one line, such as `product.id is missing`.
    public var description: String {
        switch problem {
        case .unknown: "there is no '\(name)' in the code that was written from the manifest"
        case .missing: "\(name) is missing"
        case .isNot(let type): "\(name) is no \(type)"
        }
    }
}
