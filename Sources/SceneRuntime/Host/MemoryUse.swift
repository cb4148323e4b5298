/// How many bytes of memory a host keeps for its clients, about and as it counts them itself. The sums are of what values hold:
/// their text in UTF-8 and a round number for each part.
public struct MemoryUse: Hashable, Sendable {
    /// What a sender's events take.
    public struct Events: Hashable, Sendable {
        /// Events that wait for their turn or are being dispatched.
        public internal(set) var waiting = 0
        /// Events that are parked, or resumed after they were.
        public internal(set) var parked = 0
        /// Receipts of events that have ended.
        public internal(set) var remembered = 0

        /// Events that have not ended.
        public var open: Int { waiting + parked }

        mutating func add(_ bytes: Int, to stage: EventStage) {
            switch stage {
            case .waiting: waiting += bytes
            case .parked: parked += bytes
            case .ended: remembered += bytes
            }
        }
    }

    /// The events of all senders.
    public internal(set) var events = Events()
    /// The events of each sender; without one, those sent in process.
    public internal(set) var eventsBySender: [String?: Events] = [:]
    /// How many calls wait for each sender's events.
    public internal(set) var waitersBySender: [String?: Int] = [:]
    /// The records that are retained.
    public internal(set) var records = 0
    /// What the windows show.
    public internal(set) var shown = 0
}

/// Where the memory of an event is counted.
enum EventStage {
    case waiting, parked, ended
}
