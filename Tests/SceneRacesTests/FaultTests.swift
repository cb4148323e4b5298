#if DEBUG
    import Foundation
    import Interleaving
    import SceneRaces
    import SceneRuntime
    import Testing

    /// A mistake, the scenario that finds it, and how it shows.
    struct KnownFault: Sendable, CustomTestStringConvertible {
        let fault: Fault
        let scenario: String
        /// `FoundRace.kind`: an invariant, `end` for an expectation of the scenario, or how the run came to no end.
        let shows: [String]

        init(_ fault: Fault, _ scenario: String, _ shows: String...) {
            (self.fault, self.scenario, self.shows) = (fault, scenario, shows)
        }

        var testDescription: String { "\(fault) by \(scenario)" }
    }

    @Suite("Mistakes made on purpose", .serialized)
    struct FaultTests {
        static let known: [KnownFault] = [
            // S1
            KnownFault(.staleRounds, "sign-out-against-push", "invariant 5"),
            KnownFault(.resumeWithoutResolution, "closed-again", "invariant 5"),
            // S2, S6
            KnownFault(.unchecked, "sign-out-against-push", "invariant 5"),
            KnownFault(.missingFence, "two-users", "invariant 5"),
            KnownFault(.oldRevisionRecorded, "close-one-window", "invariant 4"),
            // S3
            KnownFault(.missingSweep, "out-of-stock", "end"),
            KnownFault(.sweepSwallowed, "out-of-stock", "end"),
            KnownFault(.restoredUnchecked, "restored-after-sign-out", "invariant 5"),
            // S4
            KnownFault(.notifyBeforeCommit, "closed-again", "invariant 6"),
            KnownFault(.judgedBeforeCommit, "closed-again", "end"),
            // S5
            KnownFault(.resumesOwnOnly, "parked-while-away", "invariant 7"),
            KnownFault(.pointlessFlowStays, "resumed-for-whom", "end"),
            KnownFault(.lateReportCommits, "three-windows-sign-in", "end"),
            KnownFault(.freedTwice, "closed-again", "invariant 3"),
            // S7
            KnownFault(.inherited, "resumed-for-whom", "invariant 7"),
            KnownFault(.resumedForNext, "resumed-for-whom", "end"),
            KnownFault(.committedForNext, "order-placed-and-signed-out", "end"),
            KnownFault(.factsStay, "resumed-for-whom", "end"),
            KnownFault(.epochStays, "closed-again", "invariant 4"),
            KnownFault(.expiryStays, "expired-sign-in", "end"),
            // The mailbox
            KnownFault(.overlap, "disconnect-after-link", "invariant 1"),
            KnownFault(.suspendingLock, "disconnect-after-link", "end", "invariant 1", "deadlock"),
            KnownFault(.lostWakeUp, "close-one-window", "deadlock"),
            KnownFault(.lastInFirstOut, "disconnect-after-link", "invariant 1"),
            KnownFault(.ticketLost, "full-mailbox", "invariant 1"),
            KnownFault(.eventDropped, "cold-start", "deadlock"),
            KnownFault(.resumesLast, "queued-behind-gate", "end"),
            KnownFault(.disconnectsFirst, "disconnect-after-link", "end"),
            // Events and outcomes
            KnownFault(.duplicateAdmitted, "double-tap", "end"),
            KnownFault(.staleRevisionTaken, "settings-saved-twice", "end"),
            KnownFault(.lostUpdate, "two-buyers", "end"),
            KnownFault(.recordedLate, "closed-again", "invariant 1", "invariant 3"),
            // Parking
            KnownFault(.insidersSupersede, "inside-the-flow", "end"),
            KnownFault(.rejectedSupersedes, "rejected-while-parked", "invariant 3"),
            KnownFault(.strandedForgotten, "sheet-pulled-down", "invariant 12"),
            KnownFault(.gatedForEver, "empty-completion", "invariant 6"),
            KnownFault(.closedLaterIsUnsatisfied, "closed-again", "end"),
            // Windows
            KnownFault(.transitionNotAwaited, "close-one-window", "invariant 10"),
            KnownFault(.discardLeavesPending, "discard-against-links", "deadlock"),
            KnownFault(.discardLeavesParked, "discard-against-links", "invariant 12"),
            KnownFault(.discardSignsOut, "close-one-window", "end"),
            KnownFault(.parkedLostOnDisconnect, "parked-while-away", "invariant 7"),
            KnownFault(.handOverLost, "parked-while-away", "invariant 3"),
            KnownFault(.coldEventWithoutWindow, "restored-windows", "invariant 9"),
            KnownFault(.wrongWindow, "wrong-window", "end"),
        ]

        @Test("are all known, each once")
        func allAreKnown() {
            #expect(Set(Self.known.map(\.fault)) == Set(Fault.allCases))
            #expect(Self.known.count == Fault.allCases.count)
        }

        @Test("are in the documentation's table, each with its scenario and how it shows")
        func allAreDocumented() throws {
            let page = URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../Sources/SceneRaces/SceneRaces.docc/SceneRaces.md").standardized
            let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").filter {
                $0.hasPrefix("| `")
            }
            for known in Self.known {
                let row = rows.filter { $0.hasPrefix("| `\(known.fault)` |") }
                let end = "| `\(known.scenario)` | \(known.shows.joined(separator: ", ")) |"
                #expect(row.count == 1 && row[0].hasSuffix(end), "the row of \(known.fault) should end \(end)")
            }
            #expect(rows.count == Self.known.count)
        }

        @Test("are found by a scenario that ships, and show as they should", arguments: known)
        func isFound(known: KnownFault) async throws {
            let race = try Race(try #require(try ShippedScenarios.scenario(known.scenario)))
            var options = Race.Options(iterations: 1_000, timeLimit: .seconds(60), seed: 5)
            options.fault = known.fault.rawValue
            let report = try await race.search(options)
            let found = try #require(report.found, "not found in \(report.exploration.runs) orders")
            #expect(known.shows.contains(found.kind), "\(found.kind): \(found.findings)")

            // As it is saved, so it fails again: read anew, in a runner of its own.
            let saved = try ReplayFile(parsing: found.file(of: known.scenario).bytes)
            let again = try await race.replay(saved.code, shrinks: false, fault: options.fault)
            #expect(again.found?.kind == found.kind)
            #expect(again.run.traceHash == saved.traceHash)
        }
    }
#endif
