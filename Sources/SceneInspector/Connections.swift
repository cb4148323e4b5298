internal import Basics
internal import Hummingbird
internal import HummingbirdCore
internal import NIOCore

/// The connections that wait for a request to be whole. Of many the oldest makes room for a new one: who sends slowly, or nothing, keeps
/// nobody out.
struct Connections: Sendable {
    private let waiting = Guarded<[any Channel]>([])
    /// The most that wait. A browser has six, and is quicker than so many others can come.
    private static let most = 384
    /// The most connections: those that wait, and those of pages that are open.
    static let mostOfAll = 512

    /// A connection waits for its next request.
    func wait(_ channel: any Channel) {
        let oldest = waiting.withLock { waiting -> (any Channel)? in
            waiting.removeAll { $0 === channel }
            waiting.append(channel)
            return waiting.count > Self.most ? waiting.removeFirst() : nil
        }
        oldest?.close(promise: nil)
    }

    /// A connection waits no more: its request is whole, or it is closed.
    func go(_ channel: any Channel) { waiting.withLock { $0.removeAll { $0 === channel } } }

    /// Notes that a connection is opened and closed.
    final class Handler: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = Any

        private let connections: Connections

        init(_ connections: Connections) { self.connections = connections }

        func handlerAdded(context: ChannelHandlerContext) { connections.wait(context.channel) }

        func channelInactive(context: ChannelHandlerContext) {
            connections.go(context.channel)
            context.fireChannelInactive()
        }
    }
}

/// What is known of a request besides itself.
struct InspectorContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The connection that it came by.
    let channel: any Channel

    init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}

/// Reads a request to its end before anything is done for it.
struct WholeRequest: RouterMiddleware {
    let connections: Connections
    /// The most bytes that its body may have.
    let longest: Int

    func handle(
        _ request: Request,
        context: InspectorContext,
        next: (Request, InspectorContext) async throws -> Response
    ) async throws -> Response {
        var request = request
        // The body of a stream's request is how one learns that the page is gone.
        if request.method == .post { _ = try await request.collectBody(upTo: longest) }
        connections.go(context.channel)
        let response = try await next(request, context)
        if response.headers[.contentType] != Inspector.streamed { connections.wait(context.channel) }
        return response
    }
}
