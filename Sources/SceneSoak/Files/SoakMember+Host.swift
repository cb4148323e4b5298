internal import SceneHistory
internal import StrictJSON

extension SoakMember {
    func host() throws(Problem) -> SoakHost {
        var host = SoakHost(id: try member("id").string(), start: try member("start").duration())
        host.end = try member("end").duration()
        host.invocation = try optional("invocation")?.string()
        host.boot = try optional("boot")?.string()
        let ending = try member("ending")
        switch try ending.string() {
        case "running": host.ending = .running
        case "stopped": host.ending = .stopped
        case "replaced": host.ending = .replaced
        case "killed": host.ending = .killed
        case "vanished": host.ending = .vanished(try optional("reason")?.string())
        default: throw ending.wrong("one of \"running\", \"stopped\", \"replaced\", \"killed\", \"vanished\"")
        }
        host.gaps = try member("gaps").elements { (member) throws(Problem) in try member.gap() }
        host.report = try optional("report")?.report()
        host.evidence = try member("evidence").elements { (member) throws(Problem) in
            SoakHost.Evidence(
                invariant: try member.member("invariant").invariant(),
                records: try member.member("records").string(),
                replay: try member.optional("replay")?.string()
            )
        }
        return host
    }

    private func gap() throws(Problem) -> SoakHost.Gap {
        SoakHost.Gap(
            first: try member("first").integer(),
            last: try member("last").integer(),
            at: try member("at").duration(),
            cause: try member("cause").oneOf(SoakHost.Gap.Cause.self)
        )
    }

    private func invariant() throws(Problem) -> Invariant {
        let name = try string()
        guard let invariant = Invariant.allCases.first(where: { $0.name == name }) else {
            throw wrong("one of \(Invariant.allCases.map { "\"\($0.name)\"" }.joined(separator: ", "))")
        }
        return invariant
    }

    private func report() throws(Problem) -> HostReport {
        HostReport(
            host: try member("host").string(),
            records: try member("records").integer(),
            verdicts: try member("invariants").elements { (member) throws(Problem) in
                InvariantReport(invariant: try member.member("name").invariant(), verdict: try member.verdict())
            }
        )
    }

    private func verdict() throws(Problem) -> Verdict {
        let verdict = try member("verdict")
        switch try verdict.string() {
        case "holds": return .holds
        case "unknown": return .unknown(try member("reason").string())
        case "violated":
            let violations = try member("violations").elements { (member) throws(Problem) in
                Violation(
                    try member.member("records").elements { (record) throws(Problem) in try record.integer() },
                    try member.member("explanation").string()
                )
            }
            return .violated(violations, count: try member("count").integer())
        default: throw verdict.wrong("one of \"holds\", \"violated\", \"unknown\"")
        }
    }
}
