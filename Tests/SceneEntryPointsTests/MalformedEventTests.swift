import SceneEntryPoints
import StrictJSON
import Testing

/// Malformed events, each with its exact error.
@Suite("Malformed events")
struct MalformedEventTests {
    static let aps: [(String, String)] = [
        (#"[]"#, "aps: expected object, found array"),
        (#""alert""#, "aps: expected object, found string"),
        (#"null"#, "aps: expected object, found null"),
        (#"{"alert":1}"#, "aps.alert: expected string or object, found integer"),
        (#"{"alert":null}"#, "aps.alert: expected string or object, found null"),
        (#"{"alert":["a"]}"#, "aps.alert: expected string or object, found array"),
        (#"{"alert":{"title":1}}"#, "aps.alert.title: expected string, found integer"),
        (#"{"alert":{"title":{}}}"#, "aps.alert.title.loc-key: expected string, found nothing"),
        (#"{"alert":{"title":{"loc-key":1}}}"#, "aps.alert.title.loc-key: expected string, found integer"),
        (
            #"{"alert":{"title":{"loc-key":"a","loc-args":[1]}}}"#,
            "aps.alert.title.loc-args[0]: expected string, found integer"
        ),
        (
            #"{"alert":{"title":{"loc-key":"a","key":1}}}"#,
            "aps.alert.title.key: expected one of the members loc-key, loc-args, found another member"
        ),
        (#"{"alert":{"subtitle":true}}"#, "aps.alert.subtitle: expected string, found boolean"),
        (#"{"alert":{"body":null}}"#, "aps.alert.body: expected string, found null"),
        (#"{"alert":{"body":[]}}"#, "aps.alert.body: expected string, found array"),
        (#"{"alert":{"launch-image":1}}"#, "aps.alert.launch-image: expected string, found integer"),
        (#"{"alert":{"title-loc-key":{}}}"#, "aps.alert.title-loc-key: expected string, found object"),
        (#"{"alert":{"title-loc-args":"a"}}"#, "aps.alert.title-loc-args: expected array of strings, found string"),
        (
            #"{"alert":{"title-loc-args":["a","b",3]}}"#,
            "aps.alert.title-loc-args[2]: expected string, found integer"
        ),
        (#"{"alert":{"subtitle-loc-key":1.5}}"#, "aps.alert.subtitle-loc-key: expected string, found number"),
        (
            #"{"alert":{"subtitle-loc-args":[null]}}"#,
            "aps.alert.subtitle-loc-args[0]: expected string, found null"
        ),
        (#"{"alert":{"loc-key":false}}"#, "aps.alert.loc-key: expected string, found boolean"),
        (#"{"alert":{"loc-args":{"0":"a"}}}"#, "aps.alert.loc-args: expected array of strings, found object"),
        (#"{"alert":{"loc-args":["a",["b"]]}}"#, "aps.alert.loc-args[1]: expected string, found array"),
        (#"{"alert":{"action-loc-key":null}}"#, "aps.alert.action-loc-key: expected string, found null"),
        (#"{"alert":{"action":1}}"#, "aps.alert.action: expected string, found integer"),
        (#"{"alert":{"summary-arg":1}}"#, "aps.alert.summary-arg: expected string, found integer"),
        (#"{"alert":{"summary-arg-count":"2"}}"#, #"aps.alert.summary-arg-count: expected integer from 0, found "2""#),
        (#"{"alert":{"sound":1}}"#, "aps.alert.sound: expected string or object, found integer"),
        (#"{"badge":"3"}"#, #"aps.badge: expected integer from 0, found "3""#),
        (#"{"badge":-1}"#, "aps.badge: expected integer from 0, found -1"),
        (#"{"badge":1.5}"#, "aps.badge: expected integer from 0, found 1.5"),
        (#"{"badge":9223372036854775808}"#, "aps.badge: expected integer from 0, found 9.223372036854776e+18"),
        (#"{"sound":true}"#, "aps.sound: expected string or object, found boolean"),
        (#"{"sound":{"critical":true}}"#, "aps.sound.critical: expected 0 or 1, found true"),
        (#"{"sound":{"name":1}}"#, "aps.sound.name: expected string, found integer"),
        (#"{"sound":{"volume":"loud"}}"#, #"aps.sound.volume: expected number from 0 to 1, found "loud""#),
        (#"{"sound":{"volume":1.01}}"#, "aps.sound.volume: expected number from 0 to 1, found 1.01"),
        (#"{"thread-id":7}"#, "aps.thread-id: expected string, found integer"),
        (#"{"category":[]}"#, "aps.category: expected string, found array"),
        (#"{"content-available":true}"#, "aps.content-available: expected 0 or 1, found true"),
        (#"{"content-available":2}"#, "aps.content-available: expected 0 or 1, found 2"),
        (#"{"content-available":"1"}"#, #"aps.content-available: expected 0 or 1, found "1""#),
        (#"{"mutable-content":1.0}"#, "aps.mutable-content: expected 0 or 1, found 1.0"),
        (#"{"mutable-content":{}}"#, "aps.mutable-content: expected 0 or 1, found object"),
        (#"{"target-content-id":1}"#, "aps.target-content-id: expected string, found integer"),
        (#"{"target-content-id":""}"#, "aps.target-content-id: expected non-empty string, found empty string"),
        (
            #"{"interruption-level":"urgent"}"#,
            #"aps.interruption-level: expected one of "passive", "active", "time-sensitive", "critical", found "urgent""#
        ),
        (
            #"{"interruption-level":1}"#,
            #"aps.interruption-level: expected one of "passive", "active", "time-sensitive", "critical", found 1"#
        ),
        (#"{"relevance-score":1.5}"#, "aps.relevance-score: expected number from 0 to 1, found 1.5"),
        (#"{"relevance-score":"high"}"#, #"aps.relevance-score: expected number from 0 to 1, found "high""#),
        (#"{"relevance-score":"high","event":"end"}"#, "aps.relevance-score: expected number, found string"),
        (#"{"filter-criteria":{}}"#, "aps.filter-criteria: expected string, found object"),
        (#"{"url-args":"a"}"#, "aps.url-args: expected array of strings, found string"),
        (#"{"url-args":[1]}"#, "aps.url-args[0]: expected string, found integer"),
        (#"{"content-changed":1}"#, "aps.content-changed: expected boolean, found integer"),
        (#"{"event":"stop"}"#, #"aps.event: expected one of "start", "update", "end", found "stop""#),
        (#"{"event":null}"#, #"aps.event: expected one of "start", "update", "end", found null"#),
        (#"{"timestamp":"now"}"#, #"aps.timestamp: expected number of seconds since 1970, found "now""#),
        (#"{"timestamp":-1}"#, "aps.timestamp: expected number of seconds since 1970, found -1"),
        (#"{"content-state":"on"}"#, "aps.content-state: expected object, found string"),
        (#"{"stale-date":[]}"#, "aps.stale-date: expected number of seconds since 1970, found array"),
        (#"{"dismissal-date":true}"#, "aps.dismissal-date: expected number of seconds since 1970, found true"),
        (#"{"attributes-type":1}"#, "aps.attributes-type: expected string, found integer"),
        (#"{"attributes-type":""}"#, "aps.attributes-type: expected non-empty string, found empty string"),
        (#"{"attributes":[]}"#, "aps.attributes: expected object, found array"),
        (#"{"input-push-token":"1"}"#, #"aps.input-push-token: expected 0 or 1, found "1""#),
        (#"{"input-push-channel":1}"#, "aps.input-push-channel: expected string, found integer"),
    ]

    static let events: [(EntryKind, String, String)] = [
        (.push, #"{}"#, "payload: expected object, found nothing"),
        (.push, #"{"payload":"{}"}"#, "payload: expected object, found string"),
        (.push, #"{"payload":{}}"#, "aps: expected object, found nothing"),
        (.push, #"{"payload":{"alert":"a"}}"#, "aps: expected object, found nothing"),
        (
            .push, #"{"payload":{"aps":{},"Simulator Target Bundle":1}}"#,
            "Simulator Target Bundle: expected string, found integer"
        ),
        (
            .push, #"{"payload":{"aps":{}},"interaction":"tap"}"#,
            #"interaction: expected one of "present", "open", "dismiss", "action", found "tap""#
        ),
        (.push, #"{"payload":{"aps":{}},"interaction":1}"#, "interaction: expected string, found integer"),
        (
            .push, #"{"payload":{"aps":{"alert":"a"}},"interaction":"action"}"#,
            "action: expected the identifier of the action, found nothing"
        ),
        (
            .push, #"{"payload":{"aps":{}},"interaction":"open","action":"A"}"#,
            #"action: expected nothing, because interaction is "open", found "A""#
        ),
        (.push, #"{"payload":{"aps":{}},"action":""}"#, "action: expected non-empty string, found empty string"),
        (
            .push, #"{"payload":{"aps":{}},"text":"a"}"#,
            "text: expected nothing, because no action was chosen, found string"
        ),
        (
            .push, #"{"payload":{"aps":{}},"intraction":"open"}"#,
            "intraction: expected 'interaction', found another member"
        ),
        (.url, #"{}"#, "url: expected string, found nothing"),
        (.url, #"{"url":null}"#, "url: expected string, found nothing"),
        (.url, #"{"url":1}"#, "url: expected string, found integer"),
        (
            .url, #"{"url":""}"#,
            #"url: expected absolute URL such as "https://shop.example/cart", found empty string"#
        ),
        (
            .url, #"{"url":"/cart"}"#,
            #"url: expected absolute URL such as "https://shop.example/cart", found "/cart""#
        ),
        (
            .url, #"{"url":"1a:b"}"#,
            #"url: expected absolute URL such as "https://shop.example/cart", found "1a:b""#
        ),
        (
            .url, #"{"url":"\u202e\u0007é"}"#,
            #"url: expected absolute URL such as "https://shop.example/cart", found "\u{202E}\u{7}é""#
        ),
        (
            .url, #"{"url":"a:b","sourceApplication":""}"#,
            "sourceApplication: expected non-empty string, found empty string"
        ),
        (.activity, #"{}"#, "activityType: expected string, found nothing"),
        (.activity, #"{"activityType":""}"#, "activityType: expected non-empty string, found empty string"),
        (
            .activity, #"{"activityType":"a","webpageURL":"ftp://a"}"#,
            #"webpageURL: expected http or https URL, found "ftp://a""#
        ),
        (
            .activity, #"{"activityType":"NSUserActivityTypeBrowsingWeb"}"#,
            "webpageURL: expected http or https URL, found nothing"
        ),
        (
            .activity, #"{"activityType":"com.apple.corespotlightitem"}"#,
            "userInfo.kCSSearchableItemActivityIdentifier: expected string, found nothing"
        ),
        (
            .activity,
            """
            {"activityType":"com.apple.corespotlightitem",\
            "userInfo":{"kCSSearchableItemActivityIdentifier":{"$date":"2026-01-01T00:00:00Z"}}}
            """,
            "userInfo.kCSSearchableItemActivityIdentifier: expected string, found date"
        ),
        (
            .activity, #"{"activityType":"com.apple.corespotlightquerycontinuation","userInfo":{}}"#,
            "userInfo.kCSSearchQueryString: expected string, found nothing"
        ),
        (.activity, #"{"activityType":"a","userInfo":[]}"#, "userInfo: expected object, found array"),
        (
            .activity, #"{"activityType":"a","userInfo":{"at":{"$date":"2026-02-29T00:00:00Z"}}}"#,
            #"userInfo.at.$date: expected date such as "2026-05-01T12:00:00Z", found "2026-02-29T00:00:00Z""#
        ),
        (
            .activity, #"{"activityType":"a","userInfo":{"at":[{"$date":1}]}}"#,
            #"userInfo.at[0].$date: expected date such as "2026-05-01T12:00:00Z", found 1"#
        ),
        (
            .activity, #"{"activityType":"a","userInfo":{"b":{"$data":"a-=="}}}"#,
            #"userInfo.b.$data: expected base64 text, found "a-==""#
        ),
        (
            .activity, #"{"activityType":"a","userInfo":{"b":{"$url":"nowhere"}}}"#,
            #"userInfo.b.$url: expected absolute URL, found "nowhere""#
        ),
        (
            .activity, #"{"activityType":"a","userInfo":{"b":{"$set":{}}}}"#,
            "userInfo.b.$set: expected array, found object"
        ),
        (
            .activity, #"{"activityType":"a","userInfo":{"b":{"$regex":"x"}}}"#,
            #"userInfo.b.$regex: expected one of "$date", "$data", "$url", "$uuid", "$set", found "$regex""#
        ),
        (
            .activity, #"{"activityType":"a","userInfo":{"b":{"$uuid":"E621E1F8-C36C-495A-93FC-0C247A3E6E5"}}}"#,
            """
            userInfo.b.$uuid: expected UUID such as "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", \
            found "E621E1F8-C36C-495A-93FC-0C247A3E6E5"
            """
        ),
        (
            .activity, #"{"activityType":"a","referrerURL":"news:1"}"#,
            #"referrerURL: expected http or https URL, found "news:1""#
        ),
        (
            .activity, #"{"activityType":"a","announced":"soon"}"#, "announced: expected boolean, found string"
        ),
        (
            .activity, #"{"activityType":"a","failure":""}"#,
            "failure: expected non-empty string, found empty string"
        ),
        (
            .activity, #"{"activityType":"a","announced":true,"failure":"gone"}"#,
            #"failure: expected nothing, because announced is true, found "gone""#
        ),
        (
            .activity, #"{"activityType":"a","announced":true,"handoff":false}"#,
            "handoff: expected true or nothing, because announced is true, found false"
        ),
        (
            .activity, #"{"activityType":"a","announced":true,"userInfo":{}}"#,
            "userInfo: expected nothing, because announced is true, found a value"
        ),
        (
            .activity, #"{"activityType":"a","failure":"gone","webpageURL":"https://a.example"}"#,
            "webpageURL: expected nothing, because failure is given, found a value"
        ),
        (.push, #"{"payload":{"aps":{}},"voip":1}"#, "voip: expected boolean, found integer"),
        (
            .push, #"{"payload":{},"voip":true,"interaction":"open"}"#,
            #"interaction: expected nothing, because nobody interacts with a VoIP push, found "open""#
        ),
        (.activity, #"{"activityType":"a","title":1}"#, "title: expected string, found integer"),
        (.activity, #"{"activityType":"a","handoff":"yes"}"#, "handoff: expected boolean, found string"),
        (
            .activity, #"{"activityType":"a","targetContentIdentifier":""}"#,
            "targetContentIdentifier: expected non-empty string, found empty string"
        ),
        (
            .activity, #"{"activityType":"a","persistentIdentifier":""}"#,
            "persistentIdentifier: expected non-empty string, found empty string"
        ),
        (
            .activity, #"{"activityType":"a","draggedFrom":""}"#,
            "draggedFrom: expected non-empty string, found empty string"
        ),
        (
            .activity, #"{"activityType":"a","draggedFrom":"A","handoff":true}"#,
            "handoff: expected nothing, because a Handoff is not dragged, found true"
        ),
        (.widget, #"{"url":"a:b"}"#, "kind: expected string, found nothing"),
        (.widget, #"{"kind":""}"#, "kind: expected non-empty string, found empty string"),
        (.widget, #"{"kind":"k","family":""}"#, "family: expected non-empty string, found empty string"),
        (
            .widget, #"{"kind":"k","url":"cart"}"#,
            #"url: expected absolute URL such as "https://shop.example/cart", found "cart""#
        ),
        (.widget, #"{"kind":"k","userInfo":"o1"}"#, "userInfo: expected object, found string"),
        (.shortcut, #"{}"#, "type: expected string, found nothing"),
        (.shortcut, #"{"type":""}"#, "type: expected non-empty string, found empty string"),
        (
            .shortcut, #"{"type":"t","userInfo":{"a.b":{"$data":1}}}"#,
            #"userInfo["a.b"].$data: expected base64 text, found 1"#
        ),
        (
            .shortcut, #"{"type":"t","tpye":"t"}"#,
            "tpye: expected 'type', found another member"
        ),
    ]

    @Test("a push with a wrong aps is refused with the path, what would be right and what is there", arguments: aps)
    func namesWhatIsWrongInAPS(aps: String, description: String) throws {
        let payload = try object(#"{"aps":\#(aps)}"#)
        let error = #expect(throws: JSONFieldError.self) { try EntryEvent.push(payload: payload) }
        #expect(error?.description == description)
    }

    @Test(
        "an event with a wrong member is refused with the path, what would be right and what is there",
        arguments: events
    )
    func namesWhatIsWrong(kind: EntryKind, text: String, description: String) throws {
        let json = try object(text)
        let error = #expect(throws: JSONFieldError.self) { try EntryEvent(kind: kind, json: json) }
        #expect(error?.description == description)
    }

    @Test("a long text and a long name are cut in the message")
    func cutsLongTexts() throws {
        let long = String(repeating: "x", count: 100_000)
        let error = #expect(throws: JSONFieldError.self) { try EntryEvent.url(long) }
        #expect(error?.found == "\"\(String(repeating: "x", count: 64))…\"")
        let named = #expect(throws: JSONFieldError.self) {
            try EntryEvent.widget(kind: "k", userInfo: [long: ["$data": 1]])
        }
        #expect(named?.path.description == "userInfo[\"\(String(repeating: "x", count: 64))…\"].$data")
    }
}
