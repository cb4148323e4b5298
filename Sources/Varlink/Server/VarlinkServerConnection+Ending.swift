internal import NIOCore

/// How a connection ends: because the server shuts down, because all is said, or because its client has gone.
extension VarlinkServerConnection {
    // MARK: - From the server, on the event loop

    /// Takes no further call, and closes once all that have arrived are answered.
    func drain(_ patience: Patience) {
        guard phase != .closed, !isGone, let context else { return }
        self.patience = patience
        if stallTimer != nil {
            stopWatching()
            watchForStall()
        }
        guard phase != .closing else { return }
        // The channel reads to the end. Nothing more comes to one without a socket.
        if !VarlinkSocket.shutDownInput(context.channel) { isInputClosed = true }
        drainExchange()
        advance()
    }

    /// Tells the present call that the server shuts down. A stream that cannot end by itself ends the connection.
    func drainExchange() {
        if isDraining, phase == .busy, let exchange, !exchange.drain() { beginClosing() }
    }

    /// Stops waiting for the present call while the server shuts down, and tells the client so, in its handler's last reply or by an error.
    /// Those behind it begin no more.
    func cutOff() {
        guard !isGone else { return end() }
        guard let patience, phase != .closed, !isCutOff else { return }
        isCutOff = true
        report(.cutOff(bytes: context.map(unsentBytes) ?? 0))
        exchange?.cutOff()
        if let exchange, let error = environment.cutOffError(exchange.call.method) { exchange.cutOff(with: error) }
        // Calls that were sent behind it are answered, too, as far as the client reads the answers.
        if phase == .busy || buffer.readableBytes == 0 { beginClosing() }
        if phase != .closed { _ = schedule(in: patience.lastWord) { $0.close() } }
    }

    /// Closes at once, even if replies are unsent.
    func close() {
        context?.close(promise: nil)
    }

    // MARK: - The end

    /// Closes when everything written is flushed.
    func beginClosing() {
        guard phase == .idle || phase == .busy, let context else { return }
        guard !isGone else { return end() }
        phase = .closing
        hasUnflushed = false
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(Self.wrapOutboundOut(ByteBuffer())).whenComplete { _ in
            bound.value.close(promise: nil)
        }
        if phase == .closing { watchForStall() }
    }

    /// Ends because the channel is gone, at once or after the calls that wait for their turn: no client has to stay to have its
    /// calls executed.
    func leave() {
        guard phase != .closed, !isGone else { return }
        guard phase == .idle, pause == .turn, onLeft() else { return end() }
        isGone = true
        firstByteTimer?.cancel()
        stopWatching()
    }

    func end() {
        guard phase != .closed else { return }
        phase = .closed
        context = nil
        firstByteTimer?.cancel()
        firstByteTimer = nil
        stopWatching()
        buffer = ByteBuffer()
        inputShare.release()
        outputShare.release()
        let ended = Array(onewayCalls.values) + (exchange.map { [$0] } ?? [])
        exchange = nil
        onewayCalls = [:]
        if let loop, !ended.isEmpty {
            var stretch = loop.stopwatch.start()
            for exchange in ended { exchange.close() }
            loop.charge(loop.stopwatch.lap(&stretch, environment.dispatcher.longestOther), to: peer.userID)
        }
        onClosed()
    }

    func firstByteIsLate() {
        guard phase == .idle else { return }
        report(.silent)
        context?.close(promise: nil)
    }
}
