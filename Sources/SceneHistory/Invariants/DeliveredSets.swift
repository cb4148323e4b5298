/// The set of URLs that is being admitted (<doc:/SceneRuntime/WayOfAnEvent>). A part of ``TicketOrder``: its events follow each other
/// directly among all that are admitted, in one scene, and all are there.
struct DeliveredSets {
    /// A set of which not every event has been admitted yet.
    private struct Open {
        let first: HistoryRecord
        let arrival: HistoryRecord.Arrival
        let place: HistoryRecord.SetPlace
        var last: HistoryRecord
        var given: Set<Int>

        var scene: String { first.scene ?? "" }
        var records: [Int] { [first.index, last.index] }
    }

    private var open: Open?

    mutating func judge(_ record: HistoryRecord, _ findings: inout Findings) {
        switch record.body {
        case .eventAdmitted(let arrival): judge(record, arrival, &findings)
        case .dispatchBegan:
            guard let open, record.scene == open.first.scene, (record.ticket ?? 0) >= (open.first.ticket ?? 0) else {
                return
            }
            findings.violated(
                open.records + [record.index],
                "scene \(open.scene) began with a set of URLs before all of it was admitted"
            )
        case .hostRestarted:
            guard let open else { return }
            self.open = nil
            findings.violated(
                open.records + [record.index],
                "of a set of \(open.place.count) URLs for scene \(open.scene) only \(open.given.count) were left when the host went on"
            )
        case .sessionCommitted:
            guard let open else { return }
            findings.violated(
                open.records + [record.index],
                "the session changed between the URLs of a set for scene \(open.scene)"
            )
        default: return
        }
    }

    private mutating func judge(
        _ record: HistoryRecord,
        _ arrival: HistoryRecord.Arrival,
        _ findings: inout Findings
    ) {
        guard var open else {
            guard let place = arrival.set else { return }
            if let objection = Self.objection(toBeginning: record, arrival, place) {
                findings.violated([record.index], "a set of URLs begins with \(record.event ?? ""), but \(objection)")
            }
            if place.count > 1, place.place == 1 {
                self.open = Open(first: record, arrival: arrival, place: place, last: record, given: [place.given])
            }
            return
        }
        if let objection = Self.objection(toGoingOn: record, arrival, open) {
            self.open = nil
            return findings.violated(
                open.records + [record.index],
                "of a set of \(open.place.count) URLs for scene \(open.scene) \(open.given.count) had come, but \(objection)"
            )
        }
        open.last = record
        open.given.insert(arrival.set?.given ?? 0)
        self.open = open.given.count == open.place.count ? nil : open
    }

    private static func objection(
        toBeginning record: HistoryRecord,
        _ arrival: HistoryRecord.Arrival,
        _ place: HistoryRecord.SetPlace
    ) -> String? {
        if place.place != 1 { return "it is number \(place.place) of it" }
        if !place.isPossible { return "it is number \(place.given) of \(place.count) as given" }
        if !hasRightID(record, place, in: base(of: record, place)) {
            return "it is number \(place.given) as given"
        }
        if arrival.isAct || arrival.isSilent || arrival.kind != "url" { return "only opened URLs come in sets" }
        return record.scene == HistoryRecord.app ? "the app itself got it" : nil
    }

    private static func objection(
        toGoingOn record: HistoryRecord,
        _ arrival: HistoryRecord.Arrival,
        _ open: Open
    ) -> String? {
        let event = record.event ?? ""
        guard let place = arrival.set else { return "\(event) came between, alone" }
        if record.scene != open.first.scene { return "\(event) came to another scene" }
        if place.count != open.place.count || place.place != open.given.count + 1 {
            return "\(event) came next, number \(place.place) of \(place.count)"
        }
        if !place.isPossible || open.given.contains(place.given) {
            return "\(event) is number \(place.given) as given, which cannot be or was there"
        }
        if !hasRightID(record, place, in: base(of: open.first, open.place)) {
            return "\(event) is number \(place.given) as given, after \(open.first.event ?? "")"
        }
        if record.connection != open.first.connection || arrival.call != open.arrival.call {
            return "\(event) came by another call"
        }
        if arrival.isAct != open.arrival.isAct || arrival.isSilent || arrival.kind != open.arrival.kind {
            return "\(event) is no opened URL"
        }
        return record.snapshot == open.first.snapshot ? nil : "\(event) came at another revision"
    }

    /// The ID of the set, from that of one of its events: `mail` for `mail/2`, the second as given. `nil` if the sender named none.
    private static func base(of record: HistoryRecord, _ place: HistoryRecord.SetPlace) -> Substring? {
        guard let event = record.event, event.hasSuffix("/\(place.given)") else { return nil }
        return event.dropLast("/\(place.given)".count)
    }

    /// Whether an event has the ID that it must have in a set of this ID: with its place as given, or one that the host made.
    private static func hasRightID(
        _ record: HistoryRecord,
        _ place: HistoryRecord.SetPlace,
        in set: Substring?
    ) -> Bool {
        base(of: record, place) == set && (set != nil || record.event?.contains("/") != true)
    }

    /// What is violated if nothing more is admitted.
    var debts: [Violation] {
        guard let open else { return [] }
        return [
            Violation(
                open.records,
                "of a set of \(open.place.count) URLs for scene \(open.scene) only \(open.given.count) came"
            )
        ]
    }
}

extension HistoryRecord.SetPlace {
    fileprivate var isPossible: Bool { count > 1 && (1...count).contains(place) && (1...count).contains(given) }
}
