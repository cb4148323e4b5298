internal import Glibc

extension SoakRun.Place {
    /// This machine, and what the daemon says of itself.
    init(_ status: DaemonStatus) {
        self.init(daemon: status.version, app: "\(status.app) \(status.manifestVersion)")
    }

    /// This machine, with this daemon and app.
    init(daemon: String, app: String) {
        var names = utsname()
        uname(&names)
        func text<Field>(_ field: Field) -> String {
            withUnsafeBytes(of: field) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
        }
        let pages = sysconf(Int32(_SC_PHYS_PAGES))
        self.init(
            system: "\(text(names.sysname)) \(text(names.release))",
            cores: max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1),
            memory: max(pages, 0) * max(sysconf(Int32(_SC_PAGESIZE)), 0),
            daemon: daemon,
            app: app
        )
    }

    /// Microseconds since 1970, to the second.
    static var now: UInt64 { UInt64(max(time(nil), 0)) * 1_000_000 }
}
