import Foundation
import Testing

/// What apps and their tests link is made for Apple's platforms, too. Nothing here can compile it for them: these tests read the sources,
/// and `make apple` checks their types.
@Suite("What apps and their tests link, on Apple's platforms")
struct AppleTests {
    /// Modules of Swift and of other packages that are there.
    private static let there: Set<String> = [
        "Darwin", "DequeModule", "Foundation", "PackagePlugin", "Swift", "Synchronization", "SystemPackage", "Testing",
        "UIKit", "UserNotifications", "Yams",
    ]
    /// Headers of Darwin, and of the compiler.
    private static let headers: Set<String> = [
        "crt_externs.h", "dlfcn.h", "errno.h", "fcntl.h", "pthread.h", "signal.h", "stdatomic.h", "stdbool.h",
        "stddef.h",
        "stdint.h", "stdlib.h", "string.h", "sys/mman.h", "sys/resource.h", "time.h", "unistd.h",
    ]
    /// Functions and constants of Linux, what needs a newer system than the declared, and what only Linux's standard library offers.
    private static let notThere: Set<String> = [
        "CLOCK_BOOTTIME", "ExecutorFactory", "InlineArray", "MAP_POPULATE", "O_PATH", "PR_SET_PDEATHSIG",
        "PTHREAD_MUTEX_ADAPTIVE_NP", "SOCK_CLOEXEC", "SchedulingExecutor", "UTF8Span", "_createExecutors", "_nfc",
        "accept4", "dladdr1", "epoll_create1", "eventfd", "getrandom", "gettid", "inotify_init1", "memfd_create",
        "pipe2",
        "prctl", "process_vm_readv", "program_invocation_name", "pthread_cond_clockwait", "pthread_cond_timedwait",
        "pthread_condattr_setclock", "sched_getaffinity", "secure_getenv", "signalfd", "syscall", "timerfd_create",
        "utf8Span",
    ]

    static let modules = ArrowTests.plan.filter { !$0.use.isEmpty }.map(\.module)

    @Test("import only what is there, and only each other", arguments: modules)
    func imports(module: String) throws {
        let allowed = Self.there.union(Self.modules)
        for (file, imported) in try ArrowTests.imports(of: module, on: .apple) {
            #expect(allowed.contains(imported), "\(file) imports \(imported)")
        }
        for (file, line) in try ArrowTests.lines(of: module, in: [".c", ".h"], on: .apple)
        where line.hasPrefix("#include <") {
            let header = String(line.dropFirst("#include <".count).prefix { $0 != ">" })
            #expect(Self.headers.contains(header), "\(file) includes \(header)")
        }
    }

    @Test("use nothing that is not there", arguments: modules)
    func names(module: String) throws {
        for (file, line) in try ArrowTests.lines(of: module, in: [".swift", ".c", ".h"], on: .apple) {
            let code = line.split(separator: "//", maxSplits: 1, omittingEmptySubsequences: false)[0]
            let words = code.split { !($0.isLetter || $0.isNumber || $0 == "_") }
            for word in words where Self.notThere.contains(String(word)) {
                Issue.record("\(file) uses \(word): \(line)")
            }
            #expect(!code.contains("/proc/") && !code.contains("@_spi"), "\(file): \(line)")
        }
    }

    @Test("are what the package offers on a Mac")
    func offered() throws {
        let package = try String(contentsOf: ArrowTests.root.appending(path: "Package.swift"), encoding: .utf8)
        let list = try #require(package.firstRange(of: "let offered: Set = ["))
        let names = package[list.upperBound...].prefix { $0 != "]" }.split(separator: "\"").map(String.init)
            .filter { $0.first?.isLetter == true }
        #expect(!names.isEmpty && Set(names).isSubset(of: Self.modules), "\(names)")
    }

    @Test("conditions are read as the compilers read them")
    func conditions() {
        let text =
            "a\n#if canImport(Glibc)\nb\n#elseif canImport(Darwin)\nc\n#else\nd\n#endif\n#if os(Linux)\n#if X\ne\n#endif\n#endif\nf"
        #expect(Platform.linux.lines(of: text) == ["a", "b", "e", "f"])
        #expect(Platform.apple.lines(of: text) == ["a", "c", "f"])
    }
}
