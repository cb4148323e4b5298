import SceneEntryPoints
import StrictJSON
import Testing

@Suite("Push payloads")
struct APNsPayloadTests {
    @Test("every key is read and written back", arguments: EventSamples.payloads)
    func roundTrips(text: String) throws {
        let payload = try APNsPayload(object(text))
        #expect(payload.json == (try object(text)))
        #expect(try APNsPayload(payload.json) == payload)
    }

    @Test("reads Apple's keys as types")
    func readsTypes() throws {
        let payload = try APNsPayload(object(EventSamples.payloads[2]))
        #expect(payload.aps.badge == 0)
        #expect(payload.aps.contentAvailable == true)
        #expect(payload.aps.mutableContent == false)
        #expect(payload.aps.interruptionLevel == .timeSensitive)
        #expect(payload.aps.relevanceScore == 0.5)
        #expect(payload.aps.sound == .named("default"))
        #expect(payload.simulatorTargetBundle == "com.example.shop")
        #expect(payload.custom == ["order": ["id": "o1", "lines": [1, 2.5, nil]]])
        guard case .content(let alert)? = payload.aps.alert else {
            Issue.record("no alert")
            return
        }
        #expect(alert.title == .plain("T"))
        #expect(alert.titleLocArgs == ["1", "2"])
        let activity = try APNsPayload(object(EventSamples.payloads[4])).aps.liveActivity
        #expect(activity.event == .start)
        #expect(activity.staleDate == 1_700_000_100.5)
        #expect(activity.contentState == ["score": 3])
    }

    @Test(
        "what is unknown or without effect is kept and warned about",
        arguments: [
            (#"{"aps":{"brand-new":[1],"alert":"a"}}"#, ["aps.brand-new: unknown key, kept"]),
            (#"{"aps":{"alert":{"body":"b","tone":1}}}"#, ["aps.alert.tone: unknown key, kept"]),
            (#"{"aps":{"sound":{"pitch":2}}}"#, ["aps.sound.pitch: unknown key, kept"]),
            (#"{"aps":{"a b\u0007.c":1}}"#, [#"aps["a b\u{7}.c"]: unknown key, kept"#]),
            (#"{"aps":{},"alert":"a"}"#, ["alert: has no effect here; it belongs in aps"]),
            (
                #"{"aps":{"alert":{"title-loc-args":["a"]}}}"#,
                ["aps.alert.title-loc-args: has no effect without title-loc-key"]
            ),
            (
                #"{"aps":{"event":"start","timestamp":1}}"#,
                [
                    "aps.content-state: missing for the event start; the system drops the update",
                    "aps.attributes-type: missing for the event start; the system drops the update",
                    "aps.attributes: missing for the event start; the system drops the update",
                ]
            ),
            (#"{"aps":{"event":"end"}}"#, ["aps.timestamp: missing for the event end; the system drops the update"]),
            (
                #"{"aps":{"timestamp":1,"stale-date":2}}"#,
                ["aps.event: missing beside timestamp, stale-date; the system drops the update"]
            ),
            (#"{"aps":{"alert":"a"},"anything":{"goes":[]}}"#, []),
        ]
    )
    func warns(text: String, warnings: [String]) throws {
        let event = try EntryEvent.push(payload: object(text))
        #expect(event.warnings == warnings)
        #expect(event.json["payload"] == .object(try object(text)))
    }

    @Test("takes at most 4096 bytes, a VoIP push 5120", arguments: [(false, 4096), (true, 5120)])
    func limitsSize(isVoIP: Bool, limit: Int) throws {
        func payload(bytes: Int) throws -> JSONObject {
            let frame = #"{"aps":{},"x":""}"#
            return try object(
                #"{"aps":{},"x":"\#(String(repeating: "a", count: bytes - frame.utf8.count))"}"#
            )
        }
        #expect(try APNsPayload(payload(bytes: limit), isVoIP: isVoIP).aps == APS())
        let error = #expect(throws: JSONFieldError.self) {
            try APNsPayload(payload(bytes: limit + 1), isVoIP: isVoIP)
        }
        #expect(error?.description == "payload: expected at most \(limit) bytes, found \(limit + 1) bytes")
        var addressed = try payload(bytes: limit)
        addressed["Simulator Target Bundle"] = "com.example.shop"
        #expect(throws: Never.self) { try APNsPayload(addressed, isVoIP: isVoIP) }
    }

    @Test("only a VoIP push may lack aps")
    func voipNeedsNoAPS() throws {
        #expect(try APNsPayload(["caller": "Ann"], isVoIP: true).custom == ["caller": "Ann"])
        #expect(throws: JSONFieldError.self) { try APNsPayload(["caller": "Ann"]) }
    }
}
