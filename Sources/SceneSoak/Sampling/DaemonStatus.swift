internal import SceneClient
internal import StrictJSON

/// What the daemon says of itself.
struct DaemonStatus: Sendable {
    let host: String
    let version: String
    let app: String
    let manifestVersion: String
    /// `nil` for the built-in shop.
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
