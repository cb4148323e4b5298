package import SceneClient
package import StrictJSON

/// A live daemon as a page shows it and acts on it. What is not the page's own business comes from outside.
package struct InspectedDaemon: Sendable {
    /// What a page copies what was done as.
    package struct Copy: Sendable {
        /// Its name on the page: `script`.
        let name: String
        /// The text, from what the daemon has recorded.
        let text: @Sendable (SceneClient) async throws -> String

        package init(_ name: String, _ text: @escaping @Sendable (SceneClient) async throws -> String) {
            self.name = name
            self.text = text
        }
    }

    /// A new connection to it.
    let connect: @Sendable () async throws -> SceneClient
    /// The command that does the same as a call.
    let command: @Sendable (_ method: String, _ parameters: JSONObject) -> String
    /// What went wrong, for a person.
    let message: @Sendable (any Error) -> String
    /// Events to begin with: each has a `name`, a `method` and its `parameters`.
    let samples: [JSONValue]
    /// How what was done can be copied, in the order offered.
    let copies: [Copy]

    package init(
        connect: @escaping @Sendable () async throws -> SceneClient,
        command: @escaping @Sendable (_ method: String, _ parameters: JSONObject) -> String,
        message: @escaping @Sendable (any Error) -> String,
        samples: [JSONValue],
        copies: [Copy]
    ) {
        self.connect = connect
        self.command = command
        self.message = message
        self.samples = samples
        self.copies = copies
    }
}
