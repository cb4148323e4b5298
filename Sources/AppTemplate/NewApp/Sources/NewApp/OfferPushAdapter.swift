internal import SceneEntryPoints
import SceneRouting
import StrictJSON

/// Takes pushes about an offer, `{"aps": {…}, "offer": {"id": "o7", "for": "anna"}}`, and leads to it. One that is for somebody is
/// rejected while somebody else is signed in.
struct OfferPushAdapter: EntryPointAdapter {
    let name = "offer"
    let kinds: Set<EntryKind> = [.push]

    func adapt(_ event: EntryEvent) -> AdapterAnswer {
        guard case .push(let push) = event.content, let offer = push.payload.custom["offer"] else {
            return .declined(reason: "payload.offer is absent")
        }
        guard let id = offer["id"]?.stringValue else { return .refused(reason: "payload.offer.id is not text") }
        let user = offer["for"]
        guard user == nil || user?.stringValue != nil else { return .refused(reason: "payload.offer.for is not text") }
        return .request(.destination(Destination(id: "offer", parameters: ["id": id])), user: user?.stringValue)
    }
}
