import SceneEntryPoints
import StrictJSON

/// Parses a JSON object that a test has as text.
func object(_ text: String) throws -> JSONObject {
    guard case .object(let object) = try JSONValue(parsing: text) else { throw NotAnObject(text: text) }
    return object
}

struct NotAnObject: Error {
    let text: String
}

/// One event of every shape, each in the JSON that ``EntryEvent/json`` gives back unchanged.
enum EventSamples {
    static let payloads = [
        #"{"aps":{}}"#,
        #"{"aps":{"alert":"Hello"},"url":"qcommerce://cart"}"#,
        """
        {"aps":{"alert":{"title":"T","subtitle":"S","body":"B","launch-image":"i.png","title-loc-key":"TK",\
        "title-loc-args":["1","2"],"subtitle-loc-key":"SK","subtitle-loc-args":[],"loc-key":"K","loc-args":["a"],\
        "action-loc-key":"PLAY","action":"View","summary-arg":"Ann","summary-arg-count":2},"badge":0,"sound":"default",\
        "thread-id":"t","category":"c","content-available":1,"mutable-content":0,"target-content-id":"product/p1",\
        "interruption-level":"time-sensitive","relevance-score":0.5,"filter-criteria":"f","url-args":["a","b"],\
        "content-changed":true},"Simulator Target Bundle":"com.example.shop","order":{"id":"o1","lines":[1,2.5,null]}}
        """,
        #"{"aps":{"alert":"x","sound":{"critical":1,"name":"bell.caf","volume":0.25}}}"#,
        """
        {"aps":{"alert":{"title":{"loc-key":"%@ won","loc-args":["Ann"]},"body":{"loc-key":"Bye"},"sound":"won.caf"},\
        "relevance-score":75,"event":"start","timestamp":1700000000,"content-state":{"score":3},\
        "stale-date":1700000100.5,"dismissal-date":1700000200,"attributes-type":"GameAttributes",\
        "attributes":{"home":"A"},"input-push-token":1,"input-push-channel":"Zm9v"}}
        """,
        #"{"aps":{"content-available":1},"route":"product","parameters":{"id":"p1"}}"#,
        #"{"aps":{"alert":{"body":"b","new-key":1},"sound":{"pitch":2},"brand-new":[1]}}"#,
    ]

    static let others: [(EntryKind, String)] = [
        (.url, #"{"url":"qcommerce://cart"}"#),
        (.url, #"{"url":"https://shop.example/cart","sourceApplication":"com.apple.mobilesafari"}"#),
        (.activity, #"{"activityType":"NSUserActivityTypeBrowsingWeb","webpageURL":"https://shop.example/p/p1"}"#),
        (.activity, #"{"activityType":"NSUserActivityTypeLiveActivity"}"#),
        (
            .activity,
            """
            {"activityType":"com.example.shop.view","webpageURL":"https://shop.example/","userInfo":{"destination":"cart",\
            "n":1,"x":1.0,"yes":true,"nothing":null,"list":[1,"a",[]],"at":{"$date":"2026-05-01T12:00:00Z"},\
            "raw":{"$data":"aGk="},"link":{"$url":"file:///a"},"set":{"$set":[1,2]},"deep":{"a":{"b":"c"}}},"title":"Cart",\
            "targetContentIdentifier":"cart","persistentIdentifier":"p","handoff":true}
            """
        ),
        (.activity, #"{"activityType":"com.example.shop.view","draggedFrom":"A"}"#),
        (
            .activity,
            """
            {"activityType":"NSUserActivityTypeBrowsingWeb","webpageURL":"https://shop.example/cart",\
            "userInfo":{"id":{"$uuid":"E621E1F8-C36C-495A-93FC-0C247A3E6E5F"}},"referrerURL":"https://news.example/a"}
            """
        ),
        (.activity, #"{"activityType":"com.example.shop.view","handoff":true,"announced":true}"#),
        (.activity, #"{"activityType":"com.example.shop.view","handoff":true,"failure":"timed out"}"#),
        (
            .activity,
            """
            {"activityType":"com.apple.corespotlightitem",\
            "userInfo":{"kCSSearchableItemActivityIdentifier":"product/p1004"}}
            """
        ),
        (
            .activity,
            #"{"activityType":"com.apple.corespotlightquerycontinuation","userInfo":{"kCSSearchQueryString":"shoes"}}"#
        ),
        (
            .widget,
            #"{"kind":"order-status","family":"systemSmall","url":"qcommerce://orders","userInfo":{"order":"o1"}}"#
        ),
        (.widget, #"{"kind":"clock"}"#),
        (.shortcut, #"{"type":"com.example.shop.cart","userInfo":{"a":"b"},"targetContentIdentifier":"cart"}"#),
        (.shortcut, #"{"type":"com.example.shop.orders"}"#),
    ]

    static let pushes: [(EntryKind, String)] =
        payloads.map {
            let isSilent = !$0.contains(#""alert":"#) || $0.contains(#""event":"#)
            return (.push, isSilent ? #"{"payload":\#($0)}"# : #"{"payload":\#($0),"interaction":"open"}"#)
        } + [
            (.push, #"{"payload":{"aps":{"alert":"a"}},"interaction":"present"}"#),
            (.push, #"{"payload":{"aps":{},"caller":"Ann"},"voip":true}"#),
            (.push, #"{"payload":{"aps":{"alert":"a"}},"interaction":"dismiss"}"#),
            (.push, #"{"payload":{"aps":{"alert":"a"}},"interaction":"action","action":"LATER"}"#),
            (.push, #"{"payload":{"aps":{"alert":"a"}},"interaction":"action","action":"REPLY","text":"On my way"}"#),
        ]

    static let all = others + pushes
}
