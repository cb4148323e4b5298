internal import CSystemd
internal import Glibc

/// Runs `body` on a new detached thread with all signals blocked, so that other threads handle them.
package func detachThread(named name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
    final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void
        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))

    // The new thread inherits the signal mask, so it is set here and restored afterwards.
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }

    let start = Unmanaged.passRetained(Start(name: name, body: body))
    var thread = pthread_t()
    let code = pthread_create(
        &thread,
        &attributes,
        { pointer in
            guard let pointer else { return nil }
            let start = Unmanaged<Start>.fromOpaque(pointer).takeRetainedValue()
            scened_name_thread(start.name)
            start.body()
            return nil
        },
        start.toOpaque()
    )
    guard code == 0 else {
        start.release()
        throw SystemError("start the thread '\(name)'", code: code)
    }
}

/// Lets all threads allocate from so many arenas. Otherwise there are eight per core, and what one thread's clients have freed is of
/// no use to the others. Call it before the first thread starts. See mallopt(3).
package func limitArenas(to count: Int) {
    scened_limit_arenas(CInt(clamping: count))
}

/// Returns free memory to the system, which the allocator would keep; takes milliseconds. See malloc_trim(3).
package func returnFreeMemory() {
    scened_return_free_memory()
}
