internal import NIOCore

/// Writing replies, and cutting off a client that does not read them.
extension VarlinkServerConnection {
    func write(_ message: ByteBuffer, _ context: ChannelHandlerContext) {
        guard !isGone else { return }
        context.write(Self.wrapOutboundOut(message), promise: nil)
        bytesWritten += message.readableBytes
        lastWritten = message.readableBytes
        hasUnflushed = true
    }

    func flush(_ context: ChannelHandlerContext) {
        guard hasUnflushed else { return }
        hasUnflushed = false
        context.flush()
        guard phase != .closed else { return }
        if context.channel.isWritable {
            outputShare.release()
            // A sender may have seen the channel congested and asked to be called just after it was no longer so.
            exchange?.becameWritable()
            return
        }
        let unsent = unsentBytes(context)
        // However long one reply is, the client can have it: the limit is for what waits before it.
        if unsent - lastWritten > environment.limits.outputQueue {
            overflow(context)
        } else if !outputShare.hold(unsent) {
            report(.tooMuchMemory(bytes: unsent))
            context.close(promise: nil)
        } else {
            watchForStall()
        }
    }

    func overflow(_ context: ChannelHandlerContext) {
        report(.stalled(bytes: unsentBytes(context)))
        context.close(promise: nil)
    }

    func unsentBytes(_ context: ChannelHandlerContext) -> Int {
        (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    func watchForStall() {
        guard stallTimer == nil, let context else { return }
        let sent = bytesWritten - unsentBytes(context)
        let unread = environment.unread(context.channel)
        stallTimer = schedule(in: patience?.stall ?? environment.limits.stall) {
            $0.stallIsOver(sentBefore: sent, unreadBefore: unread)
        }
    }

    func stopWatching() {
        stallTimer?.cancel()
        stallTimer = nil
    }

    private func stallIsOver(sentBefore: Int, unreadBefore: Int) {
        stallTimer = nil
        guard let context, phase != .closed else { return }
        let unsent = unsentBytes(context)
        guard unsent > 0 else { return }
        // A stream may wait for its client unless the server waits for the stream.
        if phase == .busy, exchange?.isPatient == true, patience == nil { return watchForStall() }
        // The system takes more only when the client has read most of what it took before.
        if bytesWritten - unsent > sentBefore || environment.unread(context.channel) < unreadBefore {
            watchForStall()
        } else if patience != nil {
            cutOff()
        } else {
            report(.stalled(bytes: unsent))
            context.close(promise: nil)
        }
    }
}
