import SceneEntryPoints
import StrictJSON
import Testing

@Suite("Connection options")
struct ConnectionOptionsTests {
    @Test("carry each event once, in the options or after them", arguments: EventSamples.all)
    func carriesOnce(kind: EntryKind, text: String) throws {
        let event = try EntryEvent(kind: kind, json: object(text))
        guard let cold = event.coldDelivery else {
            #expect(!event.isNavigating, "no scene connects for what is silent")
            return
        }
        #expect(cold.options.events + (cold.following.map { [$0] } ?? []) == [event])
        #expect(cold.options.names.count == 1, "a scene that connects for an event learns why")
    }

    @Test("have only the type of a Handoff; its activity follows, and before it comes no scene connects")
    func announcesHandoffs() throws {
        let type = "com.example.shop.view"
        let arrived = try EntryEvent.activity(activityType: type, userInfo: ["destination": "cart"], handoff: true)
        let failed = try EntryEvent.activity(activityType: type, failure: "the other device is gone")
        let announced = try EntryEvent.activity(activityType: type, announced: true)
        let cold = try #require(arrived.coldDelivery)
        #expect(cold.options.names == ["handoffUserActivityType"] && cold.options.handoffUserActivityType == type)
        #expect(cold.following == arrived)
        #expect(failed.coldDelivery == nil && announced.coldDelivery == nil)
    }

    @Test("name the members of UIKit: a universal link is an activity, a widget's tap the URL it opens or an activity")
    func names() throws {
        let events: [(EntryEvent, String)] = [
            (try .url("shop://cart"), "urlContexts"), (try .url("https://shop.example/cart"), "userActivities"),
            (try .url("HTTP://shop.example/cart"), "userActivities"),
            (try .widget(kind: "deals", url: "shop://cart"), "urlContexts"),
            (try .widget(kind: "deals"), "userActivities"),
            (
                try .activity(activityType: UserActivity.browsingWeb, webpageURL: "https://shop.example/"),
                "userActivities"
            ),
        ]
        for (event, name) in events { #expect(event.coldDelivery?.options.names == [name], "\(event.json)") }
    }
}
