import SceneEntryPoints
import StrictJSON
import Testing

@Suite("Connection options")
struct ConnectionOptionsTests {
    @Test("carry each event once, in the options or after them", arguments: EventSamples.all)
    func carriesOnce(kind: EntryKind, text: String) throws {
        let event = try EntryEvent(kind: kind, json: object(text))
        guard let cold = event.coldDelivery else {
            #expect(kind == .push && !event.isNavigating)
            return
        }
        let isAnnouncement = text.contains(#""announced":true"#)
        #expect(cold.options.events + (cold.following.map { [$0] } ?? []) == (isAnnouncement ? [] : [event]))
        #expect(!cold.options.json.isEmpty, "a scene that connects for an event learns why")
    }

    @Test("are written back exactly as they were read", arguments: EventSamples.all)
    func roundTrips(kind: EntryKind, text: String) throws {
        guard let options = try EntryEvent(kind: kind, json: object(text)).coldDelivery?.options else { return }
        let written = try JSONValue(parsing: JSONValue.object(options.json).text())
        #expect(try ConnectionOptions(written.objectValue ?? [:]) == options)
    }

    @Test("may carry several URLs and activities at once")
    func carriesSeveral() throws {
        let text = """
            {"urlContexts":[{"url":"qcommerce://cart"},{"url":"qcommerce://home","sourceApplication":"com.example.a"}],\
            "userActivities":[{"activityType":"a"},{"activityType":"b"}],\
            "notificationResponse":{"payload":{"aps":{"alert":"x"}},"interaction":"open"},\
            "shortcutItem":{"type":"t"},"widgetTap":{"kind":"k"},"handoffUserActivityType":"c"}
            """
        let options = try ConnectionOptions(object(text))
        #expect(options.json == (try object(text)))
        #expect(options.events.map(\.kind) == [.url, .url, .activity, .activity, .push, .shortcut, .widget])
        #expect(options.sourceApplication == "com.example.a")
        #expect(try ConnectionOptions([:]) == ConnectionOptions())
    }

    @Test("of a Handoff hold only its type; the activity, or its failure, follows")
    func announcesHandoffs() throws {
        let type = "com.example.shop.view"
        let arrived = try EntryEvent.activity(activityType: type, userInfo: ["destination": "cart"], handoff: true)
        let failed = try EntryEvent.activity(activityType: type, failure: "the other device is gone")
        let announced = try EntryEvent.activity(activityType: type, announced: true)
        for (event, following) in [(arrived, arrived), (failed, failed), (announced, nil)] {
            let cold = try #require(event.coldDelivery)
            #expect(cold.options.json == ["handoffUserActivityType": .string(type)])
            #expect(cold.following == following)
        }
    }

    @Test(
        "name the path of what is wrong in them",
        arguments: [
            (#"{"urlContexts":{}}"#, "urlContexts: expected array of objects, found object"),
            (#"{"urlContexts":[1]}"#, "urlContexts[0]: expected object, found integer"),
            (
                #"{"urlContexts":[{"url":"a:b"},{"url":"b"}]}"#,
                #"urlContexts[1].url: expected absolute URL such as "https://shop.example/cart", found "b""#
            ),
            (
                #"{"userActivities":[{"activityType":"a","userInfo":{"x":{"$set":1}}}]}"#,
                "userActivities[0].userInfo.x.$set: expected array, found 1"
            ),
            (
                #"{"userActivities":[{"activityType":"a","handoff":true}]}"#,
                """
                userActivities[0].handoff: expected false or nothing, because of a Handoff only \
                handoffUserActivityType is known, found true
                """
            ),
            (#"{"shortcutItem":[]}"#, "shortcutItem: expected object, found array"),
            (
                #"{"widgetTap":{"kind":""}}"#,
                "widgetTap.kind: expected non-empty string, found empty string"
            ),
            (
                #"{"notificationResponse":{"payload":{"aps":{"badge":"1"}}}}"#,
                #"notificationResponse.aps.badge: expected integer from 0, found "1""#
            ),
            (
                #"{"handoffUserActivityType":""}"#,
                "handoffUserActivityType: expected non-empty string, found empty string"
            ),
            (#"{"cloudKit":1}"#, "cloudKit: expected no such member in connection options, found one"),
        ]
    )
    func namesWhatIsWrong(text: String, description: String) throws {
        let json = try object(text)
        let error = #expect(throws: JSONFieldError.self) { try ConnectionOptions(json) }
        #expect(error?.description == description)
    }
}
