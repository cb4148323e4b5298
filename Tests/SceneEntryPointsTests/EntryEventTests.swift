import SceneEntryPoints
import StrictJSON
import Testing

@Suite("Events")
struct EntryEventTests {
    @Test("every sample is written back exactly as it was read", arguments: EventSamples.all)
    func roundTrips(kind: EntryKind, text: String) throws {
        let event = try EntryEvent(kind: kind, json: object(text))
        #expect(event.kind == kind)
        #expect(JSONValue.object(event.json) == .object(try object(text)))
        #expect(try EntryEvent(kind: kind, json: event.json) == event)
    }

    @Test("the samples of a kind have all members that the kind can have", arguments: EntryKind.allCases)
    func knowsItsMembers(kind: EntryKind) throws {
        let seen = try EventSamples.all.filter { $0.0 == kind }.flatMap { try object($0.1).keys }
        #expect(Set(seen) == Set(kind.members))
    }

    @Test("defaults and the order of members make no difference")
    func isCanonical() throws {
        let payload = try object(#"{"aps":{"alert":"a","badge":1},"url":"u:"}"#)
        let swapped = try object(#"{"url":"u:","aps":{"badge":1,"alert":"a"}}"#)
        let event = try EntryEvent.push(payload: payload)
        #expect(try EntryEvent.push(payload: swapped, interaction: "open").json == event.json)
        #expect(
            try EntryEvent.push(payload: payload, action: PushInteraction.defaultActionIdentifier).json == event.json
        )
        #expect(try EntryEvent.push(payload: payload, interaction: "present").json != event.json)
        #expect(
            try EntryEvent(kind: .widget, json: object(#"{"kind":"k","url":null}"#)) == EntryEvent.widget(kind: "k")
        )
    }

    @Test(
        "a push only presented, dismissed or silent and a Handoff without activity go nowhere, every other event does",
        arguments: EventSamples.all
    )
    func navigates(kind: EntryKind, text: String) throws {
        let stays = [#""interaction":"present""#, #""interaction":"dismiss""#].contains { text.contains($0) }
        let isSilent = kind == .push && !text.contains(#""interaction""#)
        let isAway = [#""announced":"#, #""failure":"#].contains { text.contains($0) }
        #expect(try EntryEvent(kind: kind, json: object(text)).isNavigating == !(stays || isSilent || isAway))
    }

    @Test(
        "the interaction follows from what was said",
        arguments: [
            (nil, nil, nil, false, .open), (nil, nil, nil, true, .silent),
            ("present", nil, nil, false, .present), ("present", nil, nil, true, .present),
            ("dismiss", nil, nil, false, .dismiss),
            ("action", "A", nil, false, .action(identifier: "A", text: nil)),
            (nil, "A", "t", false, .action(identifier: "A", text: "t")),
            ("action", PushInteraction.defaultActionIdentifier, nil, false, .open),
            (nil, PushInteraction.dismissActionIdentifier, nil, false, .dismiss),
        ] as [(String?, String?, String?, Bool, PushInteraction)]
    )
    func reads(interaction: String?, action: String?, text: String?, isSilent: Bool, expected: PushInteraction) throws {
        let payload = try object(isSilent ? #"{"aps":{"content-available":1}}"# : #"{"aps":{"alert":"a"}}"#)
        let event = try EntryEvent.push(payload: payload, interaction: interaction, action: action, text: text)
        guard case .push(let push) = event.content else {
            Issue.record("not a push: \(event.kind)")
            return
        }
        #expect(push.interaction == expected)
    }

    /// Parts of `aps` that show no notification by themselves.
    static let parts = [
        #""content-available":1"#, #""badge":3"#, #""sound":"default""#, #""mutable-content":1"#,
        #""category":"OFFER""#,
    ]
    /// Alerts, and whether they have a text.
    static let alerts = [
        ("", false), (#""alert":"""#, false), (#""alert":{}"#, false), (#""alert":{"title":"","body":""}"#, false),
        (#""alert":{"launch-image":"x.png"}"#, false), (#""alert":"a""#, true), (#""alert":{"subtitle":"a"}"#, true),
        (#""alert":{"loc-key":"SALE"}"#, true),
    ]
    /// What starts, updates or ends a Live Activity.
    static let activities = ["start", "update", "end"].map { #""event":"\#($0)","timestamp":1,"content-state":{}"# }

    @Test("only an alert can be tapped, and not that of a Live Activity")
    func shows() throws {
        var combinations: [[String]] = [[]]
        for part in Self.parts { combinations += combinations.map { $0 + [part] } }
        for members in combinations {
            for (alert, isText) in Self.alerts {
                for activity in [""] + Self.activities {
                    let all = (members + [alert, activity]).filter { !$0.isEmpty }
                    let payload = try object(#"{"aps":{\#(all.joined(separator: ","))}}"#)
                    let isShown = isText && activity.isEmpty
                    #expect(try EntryEvent.push(payload: payload).isNavigating == isShown, "\(payload)")
                    #expect(try !EntryEvent.push(payload: payload, interaction: "present").isNavigating)
                    for (interaction, action) in [
                        ("open", nil), ("dismiss", nil), ("action", "A"), (nil, "A"),
                        (nil, PushInteraction.defaultActionIdentifier), (nil, PushInteraction.dismissActionIdentifier),
                    ] {
                        func send() throws(JSONFieldError) {
                            _ = try EntryEvent.push(payload: payload, interaction: interaction, action: action)
                        }
                        if isShown {
                            #expect(throws: Never.self, "\(payload)") { try send() }
                        } else {
                            let error = #expect(throws: JSONFieldError.self, "\(payload)") { try send() }
                            #expect(error?.description.contains("shows no notification") == true)
                        }
                    }
                }
            }
        }
    }

    @Test("the content identifier comes from where Apple keeps it")
    func namesTargetContent() throws {
        let payload = try object(#"{"aps":{"target-content-id":"product/p1"}}"#)
        #expect(try EntryEvent.push(payload: payload).targetContentIdentifier == "product/p1")
        #expect(try EntryEvent.activity(activityType: "a", targetContentIdentifier: "b").targetContentIdentifier == "b")
        #expect(try EntryEvent.shortcut(type: "a", targetContentIdentifier: "c").targetContentIdentifier == "c")
        // A URL is its own identifier, and an activity without one has its web page's.
        #expect(try EntryEvent.url("a:b").targetContentIdentifier == "a:b")
        #expect(try EntryEvent.widget(kind: "w", url: "a:b").targetContentIdentifier == "a:b")
        #expect(try EntryEvent.widget(kind: "w").targetContentIdentifier == nil)
        let page = "https://a.example/b"
        #expect(try EntryEvent.activity(activityType: "a", webpageURL: page).targetContentIdentifier == page)
        #expect(
            try EntryEvent.activity(activityType: "a", webpageURL: page, targetContentIdentifier: "b")
                .targetContentIdentifier == "b"
        )
    }

    @Test("a push for another app is refused with the receivers that would be right")
    func requiresReceiver() throws {
        let event = try EntryEvent.push(
            payload: object(#"{"aps":{},"Simulator Target Bundle":"com.example.other"}"#)
        )
        let ids = ["ABCDE12345.com.example.shop", "ABCDE12345.com.example.shop.beta"]
        let error = #expect(throws: JSONFieldError.self) { try event.requireReceiver(ids) }
        #expect(
            error?.description
                == #"Simulator Target Bundle: expected "com.example.shop" or "com.example.shop.beta", found "com.example.other""#
        )
        try event.requireReceiver(ids + ["ABCDE12345.com.example.other"])
        try event.requireReceiver([])
        try EntryEvent.push(payload: object(#"{"aps":{}}"#)).requireReceiver(ids)
        try EntryEvent.url("a:b").requireReceiver(ids)
    }
}
