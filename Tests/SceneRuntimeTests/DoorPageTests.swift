import Foundation
import SceneEntryPoints
import SceneManifest
import SceneNavigation
import SceneRouting
@testable import SceneRuntime
import StrictJSON
import Testing

/// The page <doc:/SceneRuntime/TheDoors>: every kind of event, wherever its window is, alone or beside another, with the window named
/// or chosen, nobody or somebody signed in, with and without a fallback.
///
/// `TEST_DOOR_PAGE=1` writes it.
@Suite("The page of the doors", .timeLimit(.minutes(15)))
struct DoorPageTests {
    /// Where window A is when the event comes.
    enum Place: String, CaseIterable {
        case front = "in front", background = "in the background", disconnected, none = "there is none"
    }

    /// Whether the event names window A, and whether there is another window, B, which is in front and was so last.
    struct Addressing: Hashable, CustomStringConvertible {
        let isNamed: Bool
        let isBeside: Bool

        var description: String { "\(isNamed ? "named" : "chosen")\(isBeside ? " beside another" : "")" }

        /// Every way to send a row at a place.
        static func all(_ row: PageRow, _ place: Place, isBeside: [Bool]) -> [Addressing] {
            if place == .none { return [Addressing(isNamed: false, isBeside: false)] }
            return isBeside.flatMap { isBeside in
                (row.isBound ? [false] : [true, false]).map { Addressing(isNamed: $0, isBeside: isBeside) }
            }
        }
    }

    /// How an event ends, as the page says it, and in which window; `nil` if no window took it.
    struct End: Hashable {
        let text: String
        var scene: String?
    }

    /// What was seen of an event besides its end.
    struct Seen {
        /// The adapters of the app that took events, and the errors at the door by the kind of the event.
        var adapters: Set<String> = []
        var errors: [EntryKind: Set<String>] = [:]
    }

    /// The shop, with and without a fallback, read once.
    private static let apps = (
        without: Result { try shop() },
        with: Result { try shop(fallback: Destination(id: "promo", parameters: ["code": "SORRY"])) }
    )

    private static func shop(fallback: Destination? = nil) throws -> AppManifest {
        var manifest = try AppManifest.builtInShop()
        manifest.intents.append(PageRow.besideTapped)
        manifest.fallback = fallback
        return manifest
    }

    private static func host(
        _ place: Place,
        _ addressing: Addressing,
        user: String?,
        fallback: Bool
    ) async throws -> TestHost {
        let windows = (place == .none ? [] : ["A"]) + (addressing.isBeside ? ["B"] : [])
        let test = TestHost(try SceneHost(id: "test", manifest: (fallback ? apps.with : apps.without).get()))
        for window in windows { try test.host.connect(scene: window) }
        if let user { try await test.host.session.signIn(user: user) }
        switch place {
        case .front, .none: break
        case .background: try await test.sendToBackground("A")
        case .disconnected: try await test.host.disconnect(scene: "A")
        }
        return test
    }

    private static func end(
        _ row: PageRow,
        _ place: Place,
        _ addressing: Addressing,
        user: String?,
        fallback: Bool,
        _ seen: inout Seen
    ) async throws -> End {
        let test = try await host(place, addressing, user: user, fallback: fallback)
        let receipts: [Receipt]
        do {
            receipts = try await row.send(test.host, addressing.isNamed)
        } catch let error as AdmissionError {
            #expect(test.records(of: .eventAdmitted).isEmpty, "\(row.name)")
            if let kind = row.kind { seen.errors[kind, default: []].insert(error.page) }
            return End(text: "error `\(error.page)`")
        } catch is JSONFieldError {
            if let kind = row.kind { seen.errors[kind, default: []].insert("Malformed") }
            return End(text: "error `Malformed`")
        }
        for case .eventAdmitted(let arrival) in test.records(of: .eventAdmitted).map(\.body) {
            if let adapter = arrival.adapter { seen.adapters.insert(adapter) }
        }
        // Of several each ends alike, or has been superseded by the next.
        let last = try #require(receipts.max { $0.ticket ?? 0 < $1.ticket ?? 0 }, "\(row.name): nothing was admitted")
        let outcome = "`\(last.outcome.name.rawValue)`" + (last.outcome.reason.map { " (\($0))" } ?? "")
        for receipt in receipts where receipt.event != last.event {
            #expect(receipt.outcome.name == last.outcome.name || receipt.outcome.name == .superseded, "\(row.name)")
        }
        guard let id = last.scene else {
            if place == .disconnected { #expect(try !test.host.scene("A").isConnected, "\(row.name)") }
            return End(text: "\(outcome), by the app")
        }
        let scene = try test.host.scene(id)
        let shows = try test.shown(id).contains("SORRY") ? ", shows the fallback" : ""
        let comes = scene.activation == .foregroundActive ? "in front" : scene.activation.rawValue
        let isNew = place != .none && !["A", "B"].contains(id)
        return End(text: "\(outcome), \(comes)\(shows)\(isNew ? ", in a new window" : "")", scene: id)
    }

    /// The results of a row at every place, each with what it depends on if results differ.
    private static func cells(_ row: PageRow, fallback: Bool, _ seen: inout Seen) async throws -> [String] {
        var front: [String?: String] = [:]
        var cells: [String] = []
        for place in Place.allCases {
            var texts: [String] = []
            for user in [nil, "anna"] {
                var (own, other): (Set<String>, End?) = ([], nil)
                // What naming a window changes does not depend on a fallback.
                for addressing in Addressing.all(row, place, isBeside: fallback ? [false] : [false, true]) {
                    let end = try await end(row, place, addressing, user: user, fallback: fallback, &seen)
                    if addressing.isBeside, !addressing.isNamed, !row.isBound {
                        other = end
                    } else {
                        let isRight = place == .none || row.isBound || end.scene == nil || end.scene == "A"
                        #expect(isRight, "\(row.name), \(place.rawValue), \(addressing): \(end)")
                        own.insert(end.text)
                    }
                }
                let what: Comment = "\(row.name), \(place.rawValue), \(user ?? "nobody"): \(own)"
                #expect(own.count == 1, what)
                texts.append(own.min() ?? "")
                if place == .front { front[user] = own.min() }
                // The other window takes what names none, because it is in front.
                if let other {
                    #expect(other.text == front[user], what)
                    #expect(other.scene == "B" || other.scene == nil && other.text.hasPrefix("error"), what)
                }
            }
            cells.append(texts[0] == texts[1] ? texts[0] : "\(texts[0]); signed in \(texts[1])")
        }
        return cells
    }

    private static func tables(_ seen: inout Seen) async throws -> String {
        var lines: [String] = []
        var others: [String] = []
        let header = "| event | " + Place.allCases.map(\.rawValue).joined(separator: " | ") + " |"
        let rule = "|---" + String(repeating: "|---", count: Place.allCases.count) + "|"
        for row in PageRow.all {
            let without = try await cells(row, fallback: false, &seen)
            var ignored = Seen()
            let with = try await cells(row, fallback: true, &ignored)
            lines.append("| \(row.name) | " + without.joined(separator: " | ") + " |")
            if with != without { others.append("| \(row.name) | " + with.joined(separator: " | ") + " |") }
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

    /// The errors at the door that an event of each kind can meet in the shop. A notification's tap is admitted wherever it leads; a URL
    /// is always one that an adapter takes; and no adapter of the shop makes a link of a quick action, nor takes a parameter from it.
    private static let errors: [EntryKind: Set<String>] = [
        .url: ["Malformed", "UnknownRoute", "ValidationFailed", "NotAssociated", "MemberRefused"],
        .activity: [
            "Malformed", "UnknownRoute", "ValidationFailed", "NotAssociated", "NoAdapter", "UnknownScene",
        ],
        .push: ["Malformed", "ValidationFailed"],
        .widget: ["Malformed", "UnknownRoute", "ValidationFailed", "NotAssociated", "NoAdapter"],
        .shortcut: ["Malformed", "NoAdapter"],
    ]

    @Test("says what becomes of every kind of event, wherever its window is, and leaves out no door and no error")
    func page() async throws {
        var seen = Seen()
        let tables = try await Self.tables(&seen)
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

        // A row that is left out leaves something out of these.
        let names = PageRow.all.map(\.name)
        #expect(Set(names).count == names.count, "every row has its own name")
        for sample in SampleEvent.all { #expect(page.contains("| `scenectl sample \(sample.name)` |")) }
        let shop = try AppManifest.builtInShop().adapters.map(\.name)
        #expect(Set(shop).subtracting(seen.adapters).isEmpty, "adapters of the shop that no row asks")
        for kind in EntryKind.allCases { #expect(seen.errors[kind] == Self.errors[kind], "\(kind)") }
    }
}

extension TestHost {
    fileprivate init(_ host: SceneHost) { self.host = host }
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
        case .unknownScene: "UnknownScene"
        case .member: "MemberRefused"
        default: "\(self)"
        }
    }
}
