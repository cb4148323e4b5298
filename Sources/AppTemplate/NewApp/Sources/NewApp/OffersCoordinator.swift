import SceneNavigation
import SceneRouting

/// The root, which takes what any screen reports: an offer that is over leads to the one in its place.
final class OffersCoordinator: FlowCoordinator {
    private let offers: any Offers

    init(offers: any Offers) {
        self.offers = offers
    }

    func handle(_ intent: Intent, from screen: Destination, context: FlowContext) throws -> [FlowCommand]? {
        guard case .offerTaken(let id) = Routes.Intent(intent) else { return nil }
        guard let current = offers.current(id) else { throw OfferIsOver(id: id) }
        return [
            // Added when the change is made, not to what the session was when this window looked: RaceTests says why.
            .session(.add(fact: "taken", 1)),
            .route(Routes.Destination.offer(id: current)),
        ]
    }
}

/// An offer that nothing stands in for.
struct OfferIsOver: Error, CustomStringConvertible {
    let id: String
    var description: String { "offer \(id) is over" }
}
