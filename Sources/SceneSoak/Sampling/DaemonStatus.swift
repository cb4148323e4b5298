internal import Glibc
internal import SceneClient
internal import StrictJSON

/// The daemon's status, as it reports it.
struct DaemonStatus: Sendable {
    let host: String
    let version: String
    let app: String
    let manifestVersion: String
    /// The digest of the manifest in force; `nil` if the daemon does not say.
    let manifest: String?
    /// `nil` for one that is built in.
    let manifestFile: String?
    /// The index of the newest record.
    let records: Int
    let processID: Int?
    var sample: SoakSample

    init(of client: SceneClient) async throws {
        let reply = try await client.call("io.scened.Manager.GetStatus")
        do throws(JSONFieldError) {
            let reader = JSONReader(reply)
            host = try reader["host"].text()
            version = try reader["version"].text()
            app = try reader["app"].text()
            manifestVersion = try reader["manifestVersion"].text()
            records = try reader["records"].integer()
        } catch {
            throw SceneClientError.unexpected(error)
        }
        manifest = reply["manifest"]?.stringValue
        manifestFile = reply["manifestFile"]?.stringValue
        processID = reply["processID"]?.integerValue
        sample = SoakSample(host: host)
        sample.scenes = reply["scenes"]?.integerValue
        sample.connections = reply["connections"]?.integerValue
        sample.resident = reply["residentBytes"]?.integerValue
        sample.descriptors = reply["openDescriptors"]?.integerValue
        sample.threads = reply["threads"]?.integerValue
        sample.processorTime = reply["processorMilliseconds"]?.integerValue.map { .milliseconds($0) }
        sample.pending = reply["pending"]?.integerValue
        sample.parked = reply["parked"]?.integerValue
        sample.coordinators = reply["coordinators"]?.integerValue
    }
}

extension SoakRun.Place {
    /// This machine, with the daemon that has this status.
    init(_ status: DaemonStatus) {
        self.init(daemon: status.version, app: "\(status.app) \(status.manifestVersion)")
        manifest = status.manifest
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

    /// The current time in microseconds since 1970, rounded down to a second.
    static var now: UInt64 { UInt64(max(time(nil), 0)) * 1_000_000 }
}
