package import StrictJSON

extension HostReport {
    /// Reads the reply of `io.scened.Records.Check`.
    /// - Throws: What is not as the interface declares it.
    package init(check reply: JSONReader) throws(JSONFieldError) {
        var verdicts: [InvariantReport] = []
        for part in try reply["verdicts"].elements() {
            // One of a newer daemon is left out.
            guard let invariant = Invariant(rawValue: try part["number"].integer()) else { continue }
            verdicts.append(InvariantReport(invariant: invariant, verdict: try Verdict(check: part)))
        }
        self.init(host: try reply["host"].text(), records: try reply["records"].integer(), verdicts: verdicts)
    }
}

extension Verdict {
    fileprivate init(check reply: JSONReader) throws(JSONFieldError) {
        switch try reply["verdict"].text() {
        case "holds": self = .holds
        case "violated":
            var violations: [Violation] = []
            for part in try reply["violations"].elements() {
                var records: [Int] = []
                for index in try part["records"].elements() { records.append(try index.integer()) }
                violations.append(Violation(records, try part["explanation"].text()))
            }
            self = .violated(violations, count: try reply["count"].integer())
        default: self = .unknown(try reply["reason"].text())
        }
    }
}
