internal import SceneHistory
internal import StrictJSON

extension JSONReader {
    func host() throws(JSONFieldError) -> SoakHost {
        var host = SoakHost(id: try self["id"].text(), start: try self["start"].duration())
        host.end = try self["end"].duration()
        host.invocation = try optional("invocation")?.text()
        host.boot = try optional("boot")?.text()
        let ending = try self["ending"]
        switch try ending.text() {
        case "running": host.ending = .running
        case "stopped": host.ending = .stopped
        case "replaced": host.ending = .replaced
        case "killed": host.ending = .killed
        case "cutOff": host.ending = .cutOff
        case "vanished": host.ending = .vanished(try optional("reason")?.text())
        default: throw ending.error(oneOf: ["running", "stopped", "replaced", "killed", "cutOff", "vanished"])
        }
        host.restarts = try optional("restarts")?.count() ?? 0
        host.gaps = try self["gaps"].elements().map { member throws(JSONFieldError) in try member.gap() }
        host.report = try optional("report")?.report()
        host.evidence = try self["evidence"].elements().map { member throws(JSONFieldError) in
            SoakHost.Evidence(
                invariant: try member["invariant"].invariant(),
                records: try member["records"].text(),
                page: try member.optional("page")?.text(),
                replay: try member.optional("replay")?.text(),
                places: try member.optional("places")?.places() ?? [:]
            )
        }
        return host
    }

    private func places() throws(JSONFieldError) -> [Int: Int] {
        var places: [Int: Int] = [:]
        for member in try elements() { places[try member["record"].count()] = try member["place"].count() }
        return places
    }

    private func gap() throws(JSONFieldError) -> SoakHost.Gap {
        SoakHost.Gap(
            first: try self["first"].count(),
            last: try self["last"].count(),
            at: try self["at"].duration(),
            cause: try self["cause"].choice()
        )
    }

    private func invariant() throws(JSONFieldError) -> Invariant {
        let name = try text()
        guard let invariant = Invariant.allCases.first(where: { $0.name == name }) else {
            throw error(oneOf: Invariant.allCases.map(\.name))
        }
        return invariant
    }

    private func report() throws(JSONFieldError) -> HostReport {
        HostReport(
            host: try self["host"].text(),
            records: try self["records"].count(),
            // Files of earlier versions do not say.
            unjudged: try optional("unjudged")?.count() ?? 0,
            verdicts: try self["invariants"].elements().map { member throws(JSONFieldError) in
                InvariantReport(invariant: try member["name"].invariant(), verdict: try member.verdict())
            }
        )
    }

    private func verdict() throws(JSONFieldError) -> Verdict {
        let verdict = try self["verdict"]
        switch try verdict.text() {
        case "holds": return .holds
        case "unknown": return .unknown(try self["reason"].text())
        case "violated":
            let violations = try self["violations"].elements().map { member throws(JSONFieldError) in
                Violation(
                    try member["records"].elements().map { record throws(JSONFieldError) in try record.count() },
                    try member["explanation"].text()
                )
            }
            return .violated(violations, count: try self["count"].count())
        default: throw verdict.error(oneOf: ["holds", "violated", "unknown"])
        }
    }
}
