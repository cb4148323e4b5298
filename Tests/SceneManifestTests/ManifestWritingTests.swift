import Foundation
import SceneManifest
import SceneRouting
import StrictJSON
import Testing

/// A manifest that is written as JSON is read as the same manifest, and has a digest of its own.
@Suite struct ManifestWritingTests {
    private static func text(_ manifest: AppManifest) -> String { JSONValue.object(manifest.json).text(.indented) }

    /// With the association files as they are written, without spaces that say nothing.
    private static func bare(_ manifest: AppManifest) -> AppManifest {
        var manifest = manifest
        for place in manifest.associatedDomains.indices {
            let text = manifest.associatedDomains[place].association
            manifest.associatedDomains[place].association = (try? JSONValue(parsing: text))?.text() ?? text
        }
        return manifest
    }

    private static func shipped() throws -> [AppManifest] {
        let apps = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(
            path: "Apps"
        )
        let others = try ["login-first", "offers", "travel"].map { name in
            try AppManifest.read(String(contentsOf: apps.appending(path: "\(name).yaml"), encoding: .utf8)).manifest
        }
        return try ExampleApp.allCases.map { try $0.manifest() } + others
    }

    @Test func `a file may begin with a byte order mark`() throws {
        for text in [ExampleApp.club.text, Self.text(try ExampleApp.club.manifest())] {
            #expect(try AppManifest.read("\u{FEFF}" + text).manifest == AppManifest.read(text).manifest)
        }
    }

    /// Every kind of declaration that the shipped apps do not have.
    private static func rich() throws -> AppManifest {
        try AppManifest.read(
            """
            name: Rich
            version: "2"
            appIDs: [TEAM.com.example.rich]
            schemes: [rich]
            markets: [de, fr]
            locales: [de, de-AT]
            facts:
              text: { type: string, scope: app, default: "a \\"b\\" é" }
              count: { type: integer, default: -3 }
              weight: { type: number, default: 2 }
              flag: { type: boolean, default: false }
              list: { type: strings, default: [x, "1"] }
              start: { type: date, default: 2026-11-27T08:00Z }
            preconditions:
              heavy: { holds: { fact: weight, greaterOrEqual: 1.5 }, flow: more }
            conditions:
              sale: { holds: { period: { from: 2026-11-27, until: "2026-11-30T23:59:59Z" } } }
              early: { holds: { period: { from: { fact: start, minus: 24h }, until: { parameter: at, plus: 1d90m } } } }
              late: { holds: { period: { from: { fact: start }, until: { fact: start, plus: 1500ms } } } }
              timely: { holds: { fact: start, less: 2027-01-01 } }
              before: { holds: { period: { until: "1969-07-20T20:17:40Z" } }, reason: too late }
              recent: { holds: { all: [{ appVersion: { greater: "2.1" } }, { not: { appVersion: { equals: "3" } } }] } }
              some: { holds: { any: [{ fact: text, oneOf: [a, b] }, { fact: count, notEquals: 4 }, always] } }
              own: { holds: { fact: text, equals: { parameter: id } } }
              listed: { holds: { fact: list, contains: "1" } }
            tabs: { home: home }
            roots:
              - { flow: more, when: { not: { present: text } } }
            lock: { flow: unlock, when: { present: text } }
            destinations:
              home: { tab: home }
              thing:
                ancestry: [home]
                parameters:
                  id: { type: uuid, optional: true }
                  n: { type: integer, minimum: 1, maximum: 9, default: "3" }
                  at: { type: date, default: 2026-11-27 }
                  words: { oneOf: [a, b], list: true, optional: true }
                  lang: { type: string, default: en, defaults: { de: de, fr: fr } }
                conditions: [sale, early, late, timely, before, recent, some, own, listed]
                routes: ["rich://thing"]
              other: { ancestry: [home], repeats: true, parameters: { x: { type: string, optional: true } }, presentation: alert }
            routes:
              - { pattern: "rich://o/{x}", destination: other, parameters: {}, markets: [de], resolvesElsewhere: true }
              - { pattern: "rich://O", destination: other, locales: [de], ignoresCase: true, printed: false }
            flows:
              unlock: { screens: [code] }
              more:
                style: fullScreen
                screens: [one, { id: two, hidesBack: true }, { id: three, parameters: { n: { type: integer, optional: true }, lang: { type: string, default: en, defaults: { de: de } } } }]
                start: [{ when: { present: text }, screen: two }, { when: { fact: count, less: 0 }, screen: one }]
                completionNeedsUser: true
                intents:
                  stepped:
                    screens: [one]
                    parameters: { who: string }
                    effects:
                      - { push: two }
                      - { replace: two }
                      - back
                      - { back, animated: false, when: signedIn }
                      - { pop: 3, animated: false }
                      - { popTo: one }
                      - { popToRoot, when: signedIn }
                      - popToRoot
                      - { popToRoot, animated: false }
                      - { push: two, animated: false }
                      - { push: three, parameters: { n: 4, lang: { parameter: who } }, animated: false }
                      - { replace: three, parameters: { n: { fact: count } }, when: signedIn }
                      - { replace: one, animated: false, when: signedIn }
                      - { set: count, value: 4 }
                      - { set: text, value: { fact: text } }
                      - { append: list, value: { parameter: who } }
                      - { remove: list, value: x }
                      - { add: count, value: -2 }
                      - { add: weight, value: { fact: count }, when: { fact: text, equals: { parameter: who } } }
                      - { signOut, when: { not: signedIn } }
                      - { complete: { user: who }, when: { present: list } }
                      - { reset: flag }
                      - markStale
                      - { complete: { user: who } }
                  left: { effects: [cancel, signOut, { answer: { n: 1, all: [a, b], of: { fact: list } } }] }
                completion:
                  - { route: thing, parameters: { lang: en, n: { fact: count } } }
            configurations:
              default: { canActivate: { all: [{ beginsWith: a }, { not: { endsWith: b } }] }, prefers: false }
              second: { canActivate: { any: [{ equals: a }, { contains: b }, { like: "c*" }] }, prefers: true }
            adapters:
              - { name: one, kinds: [push], priority: 3, when: [{ present: payload.a }, { path: action, equals: c }], url: "{payload.a}" }
              - { name: two, kinds: [widget, shortcut], when: [{ path: userInfo.b, matches: "x+" }], destination: thing, parametersFrom: userInfo }
              - { name: three, kinds: [push], when: [{ present: payload.refresh }], handled: true }
            policies: { whileGated: queue, maximumScenes: 3, maximumStackDepth: 7 }
            fallback: { destination: thing, parameters: { lang: de } }
            """
        ).manifest
    }

    @Test func `a manifest that was written is read as the same`() throws {
        for manifest in try Self.shipped() + [try Self.rich()] {
            let again = try AppManifest.read(Self.text(manifest)).manifest
            #expect(again == Self.bare(manifest), "\(Self.text(manifest))")
            #expect(again.digest == manifest.digest)
        }
    }

    /// Each part of a manifest, left out or changed, makes another digest.
    @Test func `whatever is changed changes the digest`() throws {
        let manifest = try Self.rich()
        var digests: Set<String> = [manifest.digest]
        var tried = 1
        func vary(_ value: JSONValue, _ put: (JSONValue) -> JSONValue) {
            switch value {
            case .object(let object):
                for member in object {
                    vary(member.value) { changed in
                        var object = object
                        object[member.key] = changed
                        return put(.object(object))
                    }
                }
            case .array(let array):
                for place in array.indices {
                    vary(array[place]) { changed in
                        var array = array
                        array[place] = changed
                        return put(.array(array))
                    }
                }
            default:
                let text = put(.string("\(value.text()) changed")).text()
                // Most changes are refused: they name what is not there.
                guard let other = try? AppManifest.read(text).manifest, other != manifest else { return }
                tried += 1
                digests.insert(other.digest)
            }
        }
        vary(.object(manifest.json)) { $0 }
        #expect(tried > 20 && digests.count == tried, "\(digests.count) of \(tried)")
    }

    @Test func `a point in time is written as it is read`() {
        for time in [0, -1, 951_782_400, 951_868_799, 1_794_787_200, 4_102_444_800, -14_182_940, 253_402_300_799] {
            #expect(Instant.seconds(Instant.text(Double(time))) == Double(time), "\(Instant.text(Double(time)))")
        }
    }

    @Test func `a point in time may leave out its seconds, or its time of day`() {
        #expect(Instant.seconds("2026-11-27T08:00Z") == Instant.seconds("2026-11-27T08:00:00Z"))
        #expect(Instant.seconds("2026-11-27") == Instant.seconds("2026-11-27T00:00Z"))
        for wrong in [
            "2026-11-27T08Z", "2026-11-27T08:00", "2026-11-27T24:00Z", "2026-11-27T08:60Z", "2026-11-27 08:00Z",
            "2026-11-27T08:00z", "2026-02-29T08:00Z", "2026-11-27T08:00+",
        ] {
            #expect(Instant.seconds(wrong) == nil, "\(wrong)")
        }
    }
}
