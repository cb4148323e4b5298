/// Destinations in whose place others may be shown (<doc:/SceneRuntime/WayOfAnEvent>).
extension RoutingEngine {
    /// Whether a destination has variants; an unknown one has none.
    package func hasVariants(_ id: String) -> Bool { destination(id)?.variants.isEmpty == false }

    /// What is shown for a request to a destination that has variants, once everything holds that the destination itself needs: what
    /// was chosen for the user, or else the first variant whose condition holds, or else the destination.
    ///
    /// `nil` if it has no variants, or something does not hold that it needs itself.
    package func choice(for request: RouteRequest, context: RoutingContext) -> Destination? {
        guard hasVariants(request.destination.id) else { return nil }
        do throws(RouteError) {
            let (index, checked) = try checked(request, context)
            guard try gate(index, checked.destination, checked, context) == nil else { return nil }
            guard let variant = chosenVariant(of: index, context) else { return checked.destination }
            return try self.variant(variant, from: checked.destination, context)
        } catch {
            return nil
        }
    }

    /// The variant of this ID that takes its parameters from a destination; `nil` if the app does not declare it as one.
    package func variant(_ id: String, of destination: Destination, context: RoutingContext) -> Destination? {
        guard let index = destinationIndex[destination.id], let other = destinationIndex[id],
            destinations[index].variants.contains(where: { $0.destination == other })
        else { return nil }
        return try? variant(other, from: destination, context)
    }

    /// The position of the variant to be shown; `nil` for the destination itself.
    func chosenVariant(of index: Int, _ context: RoutingContext) -> Int? {
        let variants = destinations[index].variants
        if variants.isEmpty { return nil }
        if let id = context.choices[destinations[index].id], let chosen = destinationIndex[id] {
            if chosen == index { return nil }
            if variants.contains(where: { $0.destination == chosen }) { return chosen }
        }
        return variants.first { policy.holds($0.when, context, [:]) }?.destination
    }

    /// The variant at a position with the parameters that it takes.
    func variant(
        _ index: Int,
        from destination: Destination,
        _ context: RoutingContext
    ) throws(RouteError) -> Destination {
        let variant = destinations[index]
        let given = destination.parameters.filter { variant.parameter($0.key) != nil }
        return Destination(id: variant.id, parameters: try variant.normalized(given, place: place(context)))
    }
}
