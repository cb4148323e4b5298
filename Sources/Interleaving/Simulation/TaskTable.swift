/// The tasks of a run, found by the runtime's ID, which is unique in the process.
///
/// The runtime counts IDs up, so their low bits are nearly a perfect hash.
struct TaskTable {
    struct Entry {
        /// The runtime's ID; 0 for a job without a task.
        let id: UInt64
        /// The hash of the task's path from the root of the run.
        let path: UInt64
        /// The name from `Task(name:)`.
        let name: String?
        /// The object, retained for the run; nil if its memory is in the frame of its parent (`async let`).
        let object: UnsafeRawPointer?
        /// How many of its jobs were enqueued.
        var ordinal: UInt32 = 0
        /// How many tasks and jobs it created.
        var children: UInt32 = 0
        /// Whether the runtime created it to end a sleep.
        let isTimer: Bool
        /// Whether it is no task, but what a task that yields goes on after.
        var isYield = false
    }

    private(set) var entries: [Entry] = []
    private var slots: [(id: UInt64, index: Int32)]
    private var mask: UInt64

    init() {
        slots = Array(repeating: (0, 0), count: 256)
        mask = 255
        entries.reserveCapacity(128)
    }

    @inline(__always)
    func index(of id: UInt64) -> Int? {
        // An empty slot has this ID.
        if id == 0 { return nil }
        var slot = id & mask
        while true {
            let found = slots[Int(slot)]
            if found.id == id { return Int(found.index) }
            if found.id == 0 { return nil }
            slot = (slot &+ 1) & mask
        }
    }

    /// - Returns: The number of the task.
    mutating func insert(_ entry: Entry) -> Int {
        let index = entries.count
        entries.append(entry)
        if entry.id != 0 {
            if entries.count * 2 > slots.count { grow() } else { place(entry.id, Int32(index)) }
        }
        return index
    }

    @inline(__always)
    mutating func nextOrdinal(_ index: Int) -> UInt32 {
        let ordinal = entries[index].ordinal
        entries[index].ordinal = ordinal &+ 1
        return ordinal
    }

    @inline(__always)
    mutating func nextChildPath(_ index: Int) -> UInt64 {
        let child = entries[index].children
        entries[index].children = child &+ 1
        return mix(entries[index].path, UInt64(child) &+ 1)
    }

    mutating func removeAll() {
        for entry in entries where entry.id != 0 {
            var slot = entry.id & mask
            // All entries go, so no chain has to stay intact; an entry in another slot than its own is reached from its own.
            while slots[Int(slot)].id != 0 {
                slots[Int(slot)] = (0, 0)
                slot = (slot &+ 1) & mask
            }
        }
        entries.removeAll(keepingCapacity: true)
    }

    private mutating func place(_ id: UInt64, _ index: Int32) {
        var slot = id & mask
        while slots[Int(slot)].id != 0 { slot = (slot &+ 1) & mask }
        slots[Int(slot)] = (id, index)
    }

    private mutating func grow() {
        slots = Array(repeating: (0, 0), count: slots.count * 2)
        mask = UInt64(slots.count - 1)
        for (index, entry) in entries.enumerated() where entry.id != 0 { place(entry.id, Int32(index)) }
    }
}
