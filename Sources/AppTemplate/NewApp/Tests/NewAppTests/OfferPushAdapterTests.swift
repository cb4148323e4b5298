import SceneEntryPoints
import SceneRouting
import StrictJSON
import Testing

@testable import NewApp

/// An adapter is a function of an event, and is tested as one.
@Suite("The adapter of pushes about offers")
struct OfferPushAdapterTests {
    private static let offer = AdaptedRequest.destination(Destination(id: "offer", parameters: ["id": "o7"]))

    private static let cases: [(payload: JSONObject, answer: AdapterAnswer)] = [
        (["aps": [:], "offer": ["id": "o7"]], .request(offer)),
        (["aps": [:], "offer": ["id": "o7", "for": "anna"]], .request(offer, user: "anna")),
        (["aps": [:], "url": "newapp://offers"], .declined(reason: "payload.offer is absent")),
        (["aps": [:], "offer": "o7"], .refused(reason: "payload.offer.id is not text")),
        (["aps": [:], "offer": ["id": "o7", "for": 7]], .refused(reason: "payload.offer.for is not text")),
    ]

    @Test("leads to the offer, says whom it is for, and why it takes nothing else", arguments: cases)
    func answers(payload: JSONObject, answer: AdapterAnswer) throws {
        #expect(OfferPushAdapter().adapt(try .push(payload: payload)) == answer)
    }
}
