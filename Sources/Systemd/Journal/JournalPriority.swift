/// How urgent a journal entry is, as syslog(3) numbers it: the lower the more urgent.
package enum JournalPriority: UInt8, Hashable, Sendable, CaseIterable {
    case emergency, alert, critical, error, warning, notice, information, debug
}
