/// A route as it is listed for people.
package struct RouteListing: Sendable {
    package let pattern: String
    /// The destination's ID, or in braces the capture that names the destination.
    package let destination: String
    /// The captures in the order of the pattern, each with what its value must be.
    package let captures: [(name: String, expected: String)]
    package let markets: [String]
    package let locales: [String]
    package let isPrinted: Bool
    /// The preconditions and conditions of the destination and its ancestry, in the order in which they are judged.
    package let needs: [String]
    /// The IDs of the destination's variants, each once, in the order in which their conditions are judged.
    package let variants: [String]
}

extension RoutingEngine {
    /// Every route, in the order in which they are tried: the most specific first.
    package func listing() -> [RouteListing] {
        routes.map { route in
            let needs = route.destination?.needs.map { need in
                switch need {
                case .precondition(let index, _): preconditions[index].name
                case .condition(let index, _): manifest.conditions[index].name
                }
            }
            return RouteListing(
                pattern: route.declaration.pattern,
                destination: route.declaration.destination,
                captures: route.pattern.captures.map { ($0, route.check($0).expectation) },
                markets: route.declaration.markets,
                locales: route.declaration.locales,
                isPrinted: route.declaration.isPrinted,
                needs: needs ?? [],
                variants: (route.destination?.variants ?? []).reduce(into: []) { ids, variant in
                    let id = destinations[variant.destination].id
                    if !ids.contains(id) { ids.append(id) }
                }
            )
        }
    }
}
