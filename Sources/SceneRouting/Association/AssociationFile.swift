internal import StrictJSON

/// An apple-app-site-association file, read the way Apple's devices read it: leniently, unknown members ignored.
///
/// The format: https://developer.apple.com/documentation/bundleresources/applinks and, for `paths`, the Shared Web
/// Credentials and universal links guides before iOS 13. What a file says that has no effect is the lint's business
/// (``AssociationFile/lint(_:)``).
public struct AssociationFile: Sendable {
    /// What one app may open, in the order of the file.
    struct Detail: Sendable {
        var appIDs: [String]
        var components: [AssociationComponent]
    }

    let details: [Detail]

    /// The most a file may have; Apple's content delivery network takes no more.
    public static let maximumLength = 128 * 1024

    /// Reads a file.
    /// - Throws: an ``AssociationError`` for what is no JSON object or longer than ``maximumLength`` bytes.
    public init(parsing text: String) throws(AssociationError) {
        self.init(try Self.json(text))
    }

    init(_ json: JSONValue) {
        var details: [Detail] = []
        if let links = json["applinks"], links.objectValue != nil {
            let context = AssociationContext(links)
            var budget = AssociationContext.budget
            switch links["details"] {
            case .array(let list):
                for detail in list {
                    details.append(Self.detail(detail, appIDs: Self.appIDs(detail), context, &budget))
                }
            case .object(let byApp):
                // The oldest form: the details of each app under its ID.
                for (appID, value) in byApp { details.append(Self.detail(value, appIDs: [appID], context, &budget)) }
            default: break
            }
        }
        self.details = details
    }

    static func json(_ text: String) throws(AssociationError) -> JSONValue {
        guard text.utf8.count <= maximumLength else {
            throw AssociationError(
                reason: "the file has \(text.utf8.count) bytes; at most \(maximumLength) are allowed",
                line: nil,
                column: nil
            )
        }
        do {
            let json = try JSONValue(parsing: text)
            guard json.objectValue != nil else {
                throw AssociationError(reason: "the file is \(json.typeName), not an object", line: 1, column: 1)
            }
            return json
        } catch let error as JSONError {
            throw AssociationError(reason: error.reason, line: error.line, column: error.column)
        } catch let error as AssociationError {
            throw error
        } catch {
            throw AssociationError(reason: "\(error)", line: nil, column: nil)
        }
    }

    static func appIDs(_ detail: JSONValue) -> [String] {
        var appIDs = detail["appIDs"]?.arrayValue?.compactMap(\.stringValue) ?? []
        if let one = detail["appID"]?.stringValue, !appIDs.contains(one) { appIDs.append(one) }
        return appIDs
    }

    private static func detail(
        _ value: JSONValue,
        appIDs: [String],
        _ context: AssociationContext,
        _ budget: inout Int
    ) -> Detail {
        let context = context.adding(defaults: value["defaults"])
        var detail = Detail(appIDs: appIDs, components: [])
        if case .array(let components) = value["components"] {
            for component in components {
                detail.components.append(AssociationComponent(component, context, budget: &budget))
            }
            return detail
        }
        for path in value["paths"]?.arrayValue?.compactMap(\.stringValue) ?? [] {
            detail.components.append(AssociationComponent(legacyPath: path, context, budget: &budget))
        }
        return detail
    }
}

/// Why an association file cannot be read.
public struct AssociationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, as a phrase without full stop.
    public let reason: String
    /// The line from 1, if one is to blame.
    public let line: Int?
    /// The column in bytes from 1.
    public let column: Int?

    public var description: String {
        guard let line, let column else { return reason }
        return "line \(line), column \(column): \(reason)"
    }
}
