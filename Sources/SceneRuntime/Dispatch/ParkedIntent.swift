package import SceneRouting
internal import SceneVocabulary

/// An event that waits for a precondition. Only its request is kept, never the target: a resume resolves again
/// (<doc:TheSession#S1>).
package struct ParkedIntent: Sendable {
    package let event: AdmittedEvent
    package let request: RouteRequest
    /// The variant of the destination that was chosen before it was stopped, if one was.
    package let variant: Destination?
    /// Where it waits.
    package let gate: Gate
    /// Who was signed in when it was parked; it belongs to that user (<doc:TheSession#S7>).
    package let user: String?
    /// The epoch in which it was parked. It tells whether the user has left, even if they have come back.
    package let epoch: Int
    /// The digest of the manifest by which it was parked.
    package let manifest: String
    /// The number of the attempt that was gated, or of a resume that the host's end has interrupted since.
    package let attempt: Int
    /// The number of the attempt that was gated.
    private let gatedAttempt: Int
    /// Whether it had been taken to go on when the host ended. It is taken again, whatever its gate is by now.
    let wasResumed: Bool
    /// Set when the flow has reported completion, so that the intent is to be resumed.
    package var completion: Completion?

    /// A parked event of before a restart.
    init(_ kept: KeptParked, _ event: AdmittedEvent) {
        self.event = event
        request = kept.request
        variant = kept.variant
        gate = kept.gate
        user = kept.user
        epoch = kept.epoch
        manifest = kept.manifest
        // A resume may have begun.
        attempt = max(kept.attempt, event.lastAttempt)
        gatedAttempt = kept.attempt
        wasResumed = kept.isResumed ?? false || event.lastAttempt > kept.attempt
        completion = kept.completion
    }

    init(
        event: AdmittedEvent,
        request: RouteRequest,
        variant: Destination?,
        gate: Gate,
        user: String?,
        epoch: Int,
        manifest: String,
        attempt: Int
    ) {
        self.event = event
        self.request = request
        self.variant = variant
        self.gate = gate
        self.user = user
        self.epoch = epoch
        self.manifest = manifest
        self.attempt = attempt
        gatedAttempt = attempt
        wasResumed = false
    }

    /// How many resumes of it ends of the host have interrupted.
    var interruptions: Int { attempt - gatedAttempt }

    /// As it is kept.
    ///
    /// - Parameter isResumed: Whether it has been taken to go on.
    func kept(isResumed: Bool) -> KeptParked {
        KeptParked(
            event: event.key,
            request: request,
            variant: variant,
            gate: gate,
            user: user,
            epoch: epoch,
            manifest: manifest,
            attempt: gatedAttempt,
            completion: completion,
            isResumed: isResumed || wasResumed ? true : nil
        )
    }

    /// What waits at one gate goes on in the order parked.
    package struct Gate: Hashable, Codable, Sendable {
        package let precondition: String
        /// The values of the parameters that the precondition looks at; none if it looks at none.
        package let parameters: [String: String]
        /// The flow that can satisfy the precondition.
        package let flow: String

        /// Whether both are the same gate. Values are compared by their bytes.
        package static func == (one: Gate, other: Gate) -> Bool {
            one.precondition == other.precondition && one.flow == other.flow
                && one.parameters.hasSameValues(as: other.parameters)
        }

        /// Hashes the names and the values.
        package func hash(into hasher: inout Hasher) {
            hasher.combine(precondition)
            hasher.combine(flow)
            parameters.hashValues(into: &hasher)
        }
    }

    package var precondition: String { gate.precondition }
    package var flow: String { gate.flow }

    /// The completion of the flow that can satisfy the precondition.
    package struct Completion: Hashable, Codable, Sendable {
        /// The session as the flow's own commit left it.
        package let snapshot: SessionSnapshot
        /// Whether the precondition still did not hold then.
        package let isUnsatisfied: Bool
    }

    /// Whether it belongs to a user who has left since.
    package func isLeft(by newest: SessionSnapshot) -> Bool {
        user != nil && epoch != newest.epoch
    }

    /// Whether the intent's own flow left its precondition closed.
    var isUnsatisfied: Bool {
        completion?.isUnsatisfied ?? false
    }
}
