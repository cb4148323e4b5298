/// What each metric says, in a sentence.
enum MetricHelp {
    static let texts: [String: String] = [
        "process_open_fds": "File descriptors that the daemon has open.",
        "process_resident_memory_bytes": "Resident memory of the daemon in bytes.",
        "process_threads": "Threads of the daemon.",
        "scened_connections": "Clients that are connected.",
        "scened_coordinators": "Coordinators that are attached in all scenes.",
        "scened_incidents": "What clients did wrong or were refused, by kind.",
        "scened_memory_bytes":
            "Bytes kept for clients, about: events that wait or are parked, receipts, records, what the windows show.",
        "scened_parked_intents": "Intents that wait for a precondition in all scenes.",
        "scened_pending_events": "Admitted events that have not ended their first attempt.",
        "scened_longest_message_seconds":
            "The longest processor time that an event loop spent on one message, by method.",
        "scened_refusals": "What users were refused, by user and reason.",
        "scened_resolutions": "Answers of the routing engine by door, route, verdict and error.",
        "scened_scenes": "Scenes that exist.",
        "scened_unwritten_steps": "Steps that cannot be written to the state at present and wait; 0 if everything can.",
        "scened_user_memory_bytes":
            "A user's part of scened_memory_bytes: events that wait or are parked, and receipts.",
        "scened_user_timers": "Timers of calls of a user that wait.",
        "scened_user_waiters": "Calls of a user that wait for an event, for quiet or for a hold.",
    ]
}
