internal import Basics
internal import Glibc
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import SceneViewer
internal import StrictJSON

/// Serves the page on which records are seen, to browsers of this machine only.
///
/// | request | answer |
/// |---|---|
/// | `GET /` | the page, which has nothing of the daemon in it |
/// | `POST /session` | for the address's token, once, the key that everything else needs, as `Authorization: Bearer` |
/// | `GET /stream` | what is shown: of a daemon, server-sent events for as long as the page is open |
/// | `GET /runs/N` | the records of a run that is over |
/// | `GET /heart?page=N` | whether the daemon answers |
/// | `POST /call` | makes a call, on behalf of a page that is open |
/// | `POST /copy` | what was done, as a text |
package struct Inspector: Sendable {
    /// What is shown.
    package enum Source: Sendable {
        case daemon(InspectedDaemon)
        /// One run, or two that are compared.
        case runs([InspectedRun])
    }

    let title: String
    let source: Source
    let door = Door()
    let pages = OpenPages()
    let connections = Connections()
    /// Told each address that is good for one browser.
    let announce: @Sendable (_ address: String) -> Void
    /// The most bytes of a request's body: more than any call of the daemon may have.
    static let longestBody = 8 << 20
    /// The same of who has no key yet: a token is short.
    private static let longestToken = 4096
    /// The type of an answer that lasts as long as the page.
    static let streamed = "text/event-stream"

    /// - Parameter announce: Told the first address as soon as it is served, and a new one each time one was used.
    package init(title: String, source: Source, announce: @escaping @Sendable (_ address: String) -> Void) {
        self.title = title
        self.source = source
        self.announce = announce
    }

    /// Serves until the task is cancelled.
    /// - Parameter port: The port; 0 for a free one.
    /// - Throws: Why it cannot listen there.
    package func serve(port: Int) async throws {
        var configuration = HTTP1Channel.Configuration(
            additionalChannelHandlers: [Connections.Handler(connections)],
            idleTimeout: .seconds(10)
        )
        configuration.httpDecoder = .init(
            maxHeaderFieldSize: 16 << 10,
            maxHeaderListSize: 32 << 10,
            maxHeaderFieldCount: 100
        )
        let bound = Port()
        let application = Application(
            responder: router(bound).buildResponder(),
            server: .http1(configuration: configuration),
            configuration: ApplicationConfiguration(
                address: .hostname("127.0.0.1", port: port),
                availableConnectionsDelegate: .maximum(Connections.mostOfAll, logger: Self.logger)
            ),
            onServerRunning: { channel in
                bound.number.withLock { $0 = channel.localAddress?.port ?? port }
                announce(bound.address(with: door.token))
            },
            logger: Self.logger
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await pages.endLeft() }
            group.addTask {
                do {
                    try await application.run()
                } catch let error as IOError {
                    throw CannotListen(description: String(cString: strerror(error.errnoCode)))
                }
            }
            defer { group.cancelAll() }
            _ = try await group.next()
        }
    }

    /// Why nothing can be served at a port, in the system's words.
    private struct CannotListen: Error, CustomStringConvertible {
        let description: String
    }

    /// What goes wrong is answered, and nobody reads a log.
    private static let logger = Logger(label: "inspect") { _ in SwiftLogNoOpLogHandler() }

    private func router(_ bound: Port) -> Router<InspectorContext> {
        let router = Router(context: InspectorContext.self)
        router.add(middleware: SafeAnswers())
        router.add(middleware: OwnOrigin())
        router.add(middleware: PlainRequests())
        let outside = router.group().add(middleware: WholeRequest(connections: connections, longest: Self.longestToken))
        outside.get("/") { _, _ in
            var response = Response(
                status: .ok,
                body: ResponseBody(byteBuffer: ByteBuffer(string: TracePage.served(title: title)))
            )
            response.headers[.contentType] = "text/html; charset=utf-8"
            response.headers[.contentSecurityPolicy] = TracePage.servedPolicy
            return response
        }
        outside.post("session") { request, _ in
            let token = try await Self.body(of: request)["token"]?.stringValue ?? ""
            guard let key = door.key(for: token) else {
                return Self.refusal(
                    .forbidden,
                    "This address was used already, or it is not the newest. Open the one that scenectl printed last."
                )
            }
            announce(bound.address(with: door.token))
            return Self.json(["key": .string(key)])
        }
        let inside = router.group().add(middleware: Keyed(door: door))
            .add(middleware: WholeRequest(connections: connections, longest: Self.longestBody))
        switch source {
        case .daemon(let daemon): addDaemon(daemon, to: inside)
        case .runs(let runs): addRuns(runs, to: inside)
        }
        return router
    }

    private func addDaemon(_ daemon: InspectedDaemon, to inside: RouterGroup<InspectorContext>) {
        inside.get("stream") { request, _ in
            Self.events { writer in
                try await request.body.consumeWithCancellationOnInboundClose { _ in
                    try await PageStream(daemon: daemon, pages: pages, key: Keyed.key(of: request)).write {
                        try await writer.write($0)
                    }
                }
            }
        }
        inside.get("heart") { request, _ in
            let number = request.uri.queryParameters.get("page", as: Int.self)
            let page = try page(of: request, in: ["page": number.map(JSONValue.integer) ?? .null])
            return Self.json(["answers": .bool(await page.beats())])
        }
        inside.post("call") { request, _ in
            let body = try await Self.body(of: request)
            guard let method = body["method"]?.stringValue else {
                throw BadRequest("method: expected the name of a method such as io.scened.Events.OpenURL")
            }
            guard body["parameters"]?.objectValue != nil || body["parameters"] == nil else {
                throw BadRequest("parameters: expected an object")
            }
            return Self.json(
                try await page(of: request, in: body).call(
                    method,
                    body["parameters"]?.objectValue ?? [:],
                    host: body["host"]
                )
            )
        }
        inside.post("copy") { request, _ in
            let body = try await Self.body(of: request)
            return Self.json(try await page(of: request, in: body).copy(as: body["as"]?.stringValue ?? ""))
        }
    }

    private func addRuns(_ runs: [InspectedRun], to inside: RouterGroup<InspectorContext>) {
        inside.get("stream") { _, _ in
            Self.events { writer in
                let told = runs.map { run -> JSONValue in
                    ["label": .string(run.label), "unread": run.unread.map(JSONValue.object) ?? .null]
                }
                try await writer.write(ServerSentEvent.text("runs", ["runs": .array(told)]))
            }
        }
        inside.get("runs/:number") { _, context in
            guard let number = context.parameters.get("number", as: Int.self), runs.indices.contains(number) else {
                return Self.refusal(.notFound, "There is no such run.")
            }
            let pieces = runs[number].pieces.map { ByteBuffer(bytes: $0) }
            var response = Response(status: .ok, body: ResponseBody(contentsOf: pieces))
            response.headers[.contentType] = "application/x-ndjson"
            return response
        }
    }

    /// The page that makes a request.
    private func page(of request: Request, in body: JSONObject) throws -> LivePage {
        guard let number = body["page"]?.integerValue, let page = pages[number], page.key == Keyed.key(of: request)
        else {
            throw BadRequest("page: expected the number of a page that is open; load it again")
        }
        return page
    }

    // MARK: - Requests and answers

    /// A request's body.
    private static func body(of request: Request) async throws -> JSONObject {
        let type = request.headers[.contentType]?.lowercased() ?? ""
        guard type == "application/json" || type.hasPrefix("application/json;") else {
            throw BadRequest("Content-Type: expected application/json")
        }
        var buffer = try await request.body.collect(upTo: longestBody)
        do {
            let bytes = buffer.readBytes(length: buffer.readableBytes) ?? []
            if let object = try JSONValue(parsing: bytes).objectValue { return object }
        } catch {
            throw BadRequest("the body: \(error)")
        }
        throw BadRequest("the body: expected an object")
    }

    static func json(_ object: JSONObject, status: HTTPResponse.Status = .ok) -> Response {
        let text = JSONValue.object(object).text(.compact)
        var response = Response(status: status, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
        response.headers[.contentType] = "application/json"
        return response
    }

    static func refusal(_ status: HTTPResponse.Status, _ message: String) -> Response {
        json(["message": .string(message)], status: status)
    }

    /// Server-sent events, as the HTML standard has them.
    private static func events(
        _ write: @escaping @Sendable (inout any ResponseBodyWriter) async throws -> Void
    ) -> Response {
        let body = ResponseBody { writer in
            try await write(&writer)
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: [.contentType: streamed], body: body)
    }
}
