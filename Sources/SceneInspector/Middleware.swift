internal import Basics
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore

/// The port on which it is served, once that is known.
struct Port: Sendable {
    let number = Guarded(0)

    /// The address for one browser. What is behind `#` never leaves it.
    func address(with token: String) -> String { "http://127.0.0.1:\(number.withLock(\.self))/#token=\(token)" }
}

/// Nothing that is answered is kept, framed, guessed at, or read by another origin.
struct SafeAnswers: RouterMiddleware {
    func handle(
        _ request: Request,
        context: InspectorContext,
        next: (Request, InspectorContext) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            response = try await next(request, context)
        } catch let error as BadRequest {
            response = Inspector.refusal(.badRequest, error.message)
        } catch let error as any HTTPResponseError {
            response = Inspector.refusal(error.status, error.status.reasonPhrase)
        }
        for (name, value) in Self.headers { response.headers[name] = value }
        return response
    }

    private static let headers: [(HTTPField.Name, String)] =
        [
            ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "DENY"),
            ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
        ].compactMap { name, value in HTTPField.Name(name).map { ($0, value) } }
}

/// Refuses what no page of ours sends, in words, before anything tries to make sense of it.
struct PlainRequests: RouterMiddleware {
    func handle(
        _ request: Request,
        context: InspectorContext,
        next: (Request, InspectorContext) async throws -> Response
    ) async throws -> Response {
        if request.method == .head {
            // Its answer has no body.
            return Response(status: .methodNotAllowed, headers: [.allow: "GET, POST"])
        }
        if request.uri.string.utf8.starts(with: "//".utf8) || request.uri.path.contains("//") {
            return Inspector.refusal(.badRequest, "The path: expected one '/' at a time.")
        }
        if request.headers[.expect] != nil {
            return Inspector.refusal(.expectationFailed, "Expect: send the body at once.")
        }
        return try await next(request, context)
    }
}

/// Refuses what another page asks for, and what was asked of another name: a name of somebody else's that leads here is theirs.
struct OwnOrigin: RouterMiddleware {
    func handle(
        _ request: Request,
        context: InspectorContext,
        next: (Request, InspectorContext) async throws -> Response
    ) async throws -> Response {
        let host = request.head.authority ?? ""
        let parts = host.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        let isPort = parts.count == 1 || parts.count == 2 && parts[1].allSatisfy { (0x30...0x39).contains($0) }
        guard let name = parts.first, isPort, ["127.0.0.1", "localhost"].contains(String(Substring(name))) else {
            return Inspector.refusal(.misdirectedRequest, "Host: expected 127.0.0.1 or localhost.")
        }
        if let origin = request.headers[.origin], origin != "http://\(host)" {
            return Inspector.refusal(.forbidden, "Origin: expected http://\(host).")
        }
        // The page itself may be opened from anywhere, such as by a link in a terminal: it has nothing in it.
        if let site = request.headers[Self.fetchSite], site != "same-origin", request.uri.path != "/" {
            return Inspector.refusal(.forbidden, "Sec-Fetch-Site: expected same-origin.")
        }
        return try await next(request, context)
    }

    private static let fetchSite = HTTPField.Name("Sec-Fetch-Site") ?? .origin
}

/// Lets in who has a key.
struct Keyed: RouterMiddleware {
    let door: Door

    /// The key that a request has; empty for none.
    static func key(of request: Request) -> String {
        let scheme = "bearer "
        guard let given = request.headers[.authorization], given.lowercased().hasPrefix(scheme) else { return "" }
        return String(given.dropFirst(scheme.count))
    }

    func handle(
        _ request: Request,
        context: InspectorContext,
        next: (Request, InspectorContext) async throws -> Response
    ) async throws -> Response {
        guard door.opens(Self.key(of: request)) else {
            return Inspector.refusal(
                .unauthorized,
                "This page has no key. Open the address that scenectl printed last."
            )
        }
        return try await next(request, context)
    }
}
