internal import SceneRouting
package import SceneVocabulary

extension Destination {
    /// Whether it is another destination, or that with placeholders for some of its values: a reload makes secrets of what was
    /// admitted as it was given.
    package func isOrConceals(_ other: Destination) -> Bool {
        if self == other { return true }
        guard id.utf8.elementsEqual(other.id.utf8), parameters.count == other.parameters.count else { return false }
        return parameters.allSatisfy { name, value in
            other.parameters[name].map { value.utf8.elementsEqual($0.utf8) || SecretPlaceholder.isOne(value) } ?? false
        }
    }
}
