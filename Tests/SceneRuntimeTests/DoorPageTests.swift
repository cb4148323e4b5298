import Foundation
import SceneEntryPoints
import SceneManifest
import SceneNavigation
import SceneRouting
@testable import SceneRuntime
import StrictJSON
import Testing

/// The page <doc:/SceneRuntime/TheDoors>: every kind of event, wherever its window is, with a window named or chosen, nobody or
/// somebody signed in, with and without a fallback.
@Suite("The page of the doors", .timeLimit(.minutes(15)))
struct DoorPageTests {
    /// Where the app's only window is when the event comes.
    enum Place: String, CaseIterable {
        case front = "in front", background = "in the background", disconnected, none = "there is none"
    }

    struct Door {
        let kind: EntryKind
        let name: String
        let event: EntryEvent
    }

    static func doors() throws -> [Door] {
        let shop = "https://shop.example"
        let alert: JSONValue = ["alert": "x"]
        let (web, view) = (UserActivity.browsingWeb, "com.example.shop.view")
        let info: JSONObject = ["destination": "product", "parameters": ["id": "p1"]]
        var doors: [Door] = []
        func add(_ name: String, _ event: EntryEvent) { doors.append(Door(kind: event.kind, name: name, event: event)) }
        add("a URL", try .url("qcommerce://product/p1"))
        add("a URL behind a gate", try .url("qcommerce://cart"))
        add("a URL that no route takes", try .url("qcommerce://nowhere"))
        add("a URL with a parameter that is not allowed", try .url("qcommerce://product/tea"))
        add("a URL that is malformed", try .url("qcommerce://product/%zz"))
        add("a universal link", try .activity(activityType: web, webpageURL: "\(shop)/product/p1"))
        add(
            "a universal link that no route takes",
            try .activity(activityType: web, webpageURL: "\(shop)/product/p1/x")
        )
        add(
            "a universal link that no domain vouches for",
            try .activity(activityType: web, webpageURL: "\(shop)/help/me")
        )
        add("an activity", try .activity(activityType: view, userInfo: info))
        add("an activity that no adapter takes", try .activity(activityType: "com.example.unheardOf"))
        add("a Handoff", try .activity(activityType: view, userInfo: info, handoff: true))
        add("a Handoff, announced", try .activity(activityType: view, announced: true))
        add("a Handoff that failed", try .activity(activityType: view, failure: "gone"))
        let link: JSONValue = "qcommerce://product/p1"
        add("a notification, tapped", try .push(payload: ["aps": alert, "url": link]))
        let offer: JSONValue = ["alert": "x", "category": "OFFER"]
        let order: JSONValue = ["alert": "x", "category": "ORDER"]
        add(
            "an action of a notification, in the foreground",
            try .push(payload: ["aps": offer, "url": link], action: "SHOW")
        )
        add(
            "an action of a notification, in the background",
            try .push(payload: ["aps": offer, "url": link, "product": "p1"], action: "ADD_TO_CART")
        )
        add(
            "an action of a notification that does nothing",
            try .push(payload: ["aps": order, "url": link], action: "CANCEL")
        )
        add(
            "a notification, tapped, that no route takes",
            try .push(payload: ["aps": alert, "url": "qcommerce://nowhere"])
        )
        add(
            "a notification, tapped, that no domain vouches for",
            try .push(payload: ["aps": alert, "url": "https://shop.example/help/me"])
        )
        add("a notification, tapped, that no adapter takes", try .push(payload: ["aps": alert]))
        add("a notification, presented", try .push(payload: ["aps": alert, "url": link], interaction: "present"))
        add("a notification, dismissed", try .push(payload: ["aps": order, "url": link], interaction: "dismiss"))
        add("a background push", try .push(payload: ["aps": ["content-available": 1], "url": link]))
        add("a badge", try .push(payload: ["aps": ["badge": 3], "url": link]))
        let activity: JSONValue = ["alert": "x", "event": "update", "timestamp": 1, "content-state": [:]]
        add("a push for a Live Activity", try .push(payload: ["aps": activity, "url": link]))
        add("a VoIP push", try .push(payload: ["caller": "Ann"], voip: true))
        add("a widget with a URL", try .widget(kind: "deals", url: "qcommerce://product/p1"))
        add("a widget with nothing", try .widget(kind: "clock"))
        add("a quick action", try .shortcut(type: "com.example.shop.orders"))
        add("a quick action that no adapter takes", try .shortcut(type: "com.example.unheardOf"))
        return doors
    }

    /// Who got the event and how it ended, or the error, as the page says it.
    private static func end(_ door: Door, _ place: Place, named: Bool, user: String?, fallback: Bool) async throws
        -> String
    {
        let test = try TestHost(windows: place == .none ? [] : ["A"]) {
            if fallback { $0.fallback = Destination(id: "promo", parameters: ["code": "SORRY"]) }
        }
        if let user { try await test.host.session.signIn(user: user) }
        switch place {
        case .front, .none: break
        case .background:
            try await test.host.setActivation(.foregroundInactive, of: "A")
            try await test.host.setActivation(.background, of: "A")
        case .disconnected: try await test.host.disconnect(scene: "A")
        }
        let admission: SceneHost.Admission
        do throws(AdmissionError) {
            admission = try test.host.admit(Submission(door.event, scene: named ? "A" : nil))
        } catch {
            return "error `\(error.page)`"
        }
        let receipt = await test.host.receipt(of: admission)
        let outcome = "`\(receipt.outcome.name.rawValue)`" + (receipt.outcome.reason.map { " (\($0))" } ?? "")
        guard let id = receipt.scene else {
            let released = test.host.scenes.allSatisfy { !$0.isConnected }
            return "\(outcome), by the app" + (released ? "" : " beside a window")
        }
        let scene = try test.host.scene(id)
        let shows = try test.shown(id).contains("SORRY") ? ", shows the fallback" : ""
        let comes = scene.activation == .foregroundActive ? "in front" : scene.activation.rawValue
        return "\(outcome), \(comes)\(shows)"
    }

    /// The results of a door at a place, with what they depend on if they differ.
    private static func cell(_ door: Door, _ place: Place, fallback: Bool) async throws -> String {
        var ends: [(user: String?, end: String)] = []
        for user in [nil, "anna"] {
            for named in place == .none ? [false] : [true, false] {
                ends.append((user, try await end(door, place, named: named, user: user, fallback: fallback)))
            }
        }
        let (guests, members) = (
            Set(ends.filter { $0.user == nil }.map(\.end)), Set(ends.filter { $0.user != nil }.map(\.end))
        )
        // Naming the window makes no difference where it is the one that is chosen.
        #expect(guests.count == 1 && members.count == 1, "\(door.name), \(place): \(ends)")
        let (guest, member) = (guests.min() ?? "", members.min() ?? "")
        return guest == member ? guest : "\(guest); signed in \(member)"
    }

    private static func tables() async throws -> String {
        var lines: [String] = []
        var others: [String] = []
        let header = "| event | " + Place.allCases.map(\.rawValue).joined(separator: " | ") + " |"
        let rule = "|---" + String(repeating: "|---", count: Place.allCases.count) + "|"
        for door in try doors() {
            var (without, with): ([String], [String]) = ([], [])
            for place in Place.allCases {
                without.append(try await cell(door, place, fallback: false))
                with.append(try await cell(door, place, fallback: true))
            }
            lines.append("| \(door.name) | " + without.joined(separator: " | ") + " |")
            if with != without { others.append("| \(door.name) | " + with.joined(separator: " | ") + " |") }
        }
        return
            ([header, rule] + lines + [
                "", "## With a fallback", "", "What is not in this table is the same with a fallback.", "", header,
                rule,
            ] + others)
            .joined(separator: "\n") + "\n"
    }

    private static let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources/SceneRuntime/SceneRuntime.docc/TheDoors.md")
    private static let beginning = "| event |"

    @Test("says what becomes of every kind of event, wherever its window is")
    func page() async throws {
        let tables = try await Self.tables()
        var page = try String(contentsOf: Self.page, encoding: .utf8)
        let place = try #require(page.range(of: Self.beginning)).lowerBound
        if ProcessInfo.processInfo.environment["TEST_DOOR_PAGE"] != nil {
            page = page[..<place] + tables
            try page.write(to: Self.page, atomically: true, encoding: .utf8)
        }
        let written = page[place...].split(separator: "\n", omittingEmptySubsequences: false)
        // Only the first difference, because all lines after it may differ.
        let expected = tables.split(separator: "\n", omittingEmptySubsequences: false)
        if let (line, other) = zip(written, expected).first(where: !=) { #expect(line == other) }
        #expect(written.count == expected.count)
        #expect(Set(try Self.doors().map(\.kind)) == Set(EntryKind.allCases), "no kind is left out")
    }
}

extension AdmissionError {
    /// The error's name on the socket.
    fileprivate var page: String {
        switch self {
        case .route(.malformed): "Malformed"
        case .route(.unknownRoute): "UnknownRoute"
        case .route(.validationFailed): "ValidationFailed"
        case .notAssociated: "NotAssociated"
        case .noAdapter: "NoAdapter"
        default: "\(self)"
        }
    }
}
