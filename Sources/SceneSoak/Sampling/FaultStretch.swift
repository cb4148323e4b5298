internal import StrictJSON

/// The records around a fault: some from before it, those of its time as far as there is room, and some from after it.
struct FaultStretch {
    /// How many records before the fault are kept.
    static let before = 1_000
    /// How many are kept in all.
    static let most = 4_000
    /// How many follow the fault's end.
    static let after = 500

    let host: String
    private(set) var records: [JSONPart]
    /// The place of the first record after the fault began; the number of records if there is none.
    let place: Int
    private(set) var fault: SoakFault?
    private var rest = FaultStretch.after
    private var isEnded = false

    /// - Parameter newest: The newest records of the host, when a fault begins.
    init(host: String, newest: some BidirectionalCollection<JSONPart>) {
        self.host = host
        records = Array(newest.suffix(Self.before))
        place = records.count
    }

    /// Whether nothing more belongs to it.
    var isWhole: Bool { fault != nil && (isEnded || rest <= 0 || records.count >= Self.most) }

    mutating func take(_ record: JSONPart) {
        if fault != nil { rest -= 1 }
        if !isEnded, records.count < Self.most { records.append(record) }
    }

    /// Notes that the fault is over.
    mutating func end(_ fault: SoakFault) { self.fault = fault }

    /// Notes that the host is gone: what comes is another's.
    mutating func hostEnded() { isEnded = true }
}
