internal import SceneRouting
package import SceneVocabulary

// What is shown for a destination that has variants (<doc:/SceneRuntime/WayOfAnEvent>).
extension AppModel {
    /// Whether the destination has variants.
    package func hasVariants(_ id: String) -> Bool { destination(id)?.variants.isEmpty == false }

    /// Whether this may be shown for a destination that has variants: one of them, or the destination itself.
    package func mayShow(_ variant: String, for id: String) -> Bool {
        guard let declaration = destination(id), !declaration.variants.isEmpty else { return false }
        return variant == id || declaration.variants.contains { $0.destination == variant }
    }

    /// What is chosen where nothing has been chosen before: the first variant whose condition holds, else the destination itself;
    /// several if what is known does not decide it.
    package func choices(for id: String, _ facts: KnownFacts) -> [String] {
        var choices: [String] = []
        for variant in destination(id)?.variants ?? [] {
            let truth = Self.holds(variant.when, facts)
            if truth != false, !choices.contains(variant.destination) { choices.append(variant.destination) }
            if truth == true { return choices }
        }
        return choices + [id]
    }

    /// A variant with the parameters that it takes from the destination; `nil` if one of them depends on the market or the locale.
    package func variant(_ id: String, of wanted: Destination) -> Destination? {
        guard id != wanted.id, let declaration = destination(id) else { return filled(wanted) }
        let names = Set(declaration.parameters.map(\.name))
        return filled(wanted)
            .flatMap { filled(Destination(id: id, parameters: $0.parameters.filter { names.contains($0.key) })) }
    }
}
