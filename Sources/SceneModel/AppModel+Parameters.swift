internal import SceneRouting
package import SceneVocabulary

// Which parameters screens take, by <doc:/SceneRuntime/ManifestFormat>.
extension AppModel {
    /// Whether the app has this on screen: a destination, or a screen of a flow, that takes these parameters; `nil` if that is left to
    /// the runtime.
    ///
    /// - Parameter earlier: All manifests by which it may have come on screen, so that a value of which they all say the same is as
    ///   allowed as it was; `nil` if they are not all known.
    package func allows(_ shown: Destination, since earlier: [AppModel]?) -> Truth {
        let own = declarations(of: shown.id)
        if own.isEmpty { return false }
        let before = earlier?.map { $0.declarations(of: shown.id) }
        if let before, before.allSatisfy({ $0 == own }) { return true }
        return Self.any(
            own.map { parameters in
                Self.takes(shown.parameters, parameters) { parameter in
                    before?.allSatisfy { ways in
                        !ways.isEmpty && ways.allSatisfy { $0?.contains { $0.has(valuesOf: parameter) } ?? false }
                    } ?? false
                }
            }
        )
    }

    /// The parameters of the destination of this ID, or of each flow's screen; `nil` for a screen that takes any.
    private func declarations(of id: String) -> [[ParameterDeclaration]?] {
        if let destination = destination(id) { return [destination.parameters] }
        return manifest.flows.flatMap(\.screens).filter { $0.id == id }.map {
            $0.parameters.isEmpty ? nil : $0.parameters
        }
    }

    static func takes(
        _ given: [String: String],
        _ parameters: [ParameterDeclaration]?,
        isAsBefore: (ParameterDeclaration) -> Bool
    ) -> Truth {
        guard let parameters else { return true }
        let names = Set(parameters.map(\.name))
        guard given.keys.allSatisfy(names.contains) else { return false }
        return all(
            parameters.map { parameter in
                guard let value = given[parameter.name] else {
                    return !parameter.isRequired || parameter.defaultValue != nil || !parameter.variantDefaults.isEmpty
                }
                return isAsBefore(parameter) ? true : parameter.isSecret ? nil : takes(value, parameter.type)
            }
        )
    }

    /// Whether a value that was shown, and therefore has a canonical form, is one of this type.
    private static func takes(_ value: String, _ type: ParameterType) -> Truth {
        guard value.utf8.count <= 1_024 else { return false }
        switch type {
        case .string: return true
        case .integer(let minimum, let maximum):
            guard let integer = Int(value) else { return false }
            return String(integer) == value ? integer >= minimum ?? .min && integer <= maximum ?? .max : nil
        case .oneOf(let words): return words.contains { $0.utf8.elementsEqual(value.utf8) }
        case .uuid: return value.utf8.count == 36 ? nil : false
        case .date: return Instant.canonical(value) == value
        case .pattern: return nil
        case .list(let element):
            if value.utf8.contains(UInt8(ascii: "%")) { return nil }
            return all(value.split(separator: ",", omittingEmptySubsequences: false).map { takes(String($0), element) })
        }
    }
}

extension ParameterDeclaration {
    /// Whether it has the same values as another, under the same name.
    fileprivate func has(valuesOf other: ParameterDeclaration) -> Bool {
        name == other.name && type == other.type && isSecret == other.isSecret
    }
}
