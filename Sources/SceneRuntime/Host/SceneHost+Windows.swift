internal import SceneNavigation
internal import SceneRouting

// What the app asks of its windows (<doc:Scenes#Windows-that-the-app-asks-for>).
extension SceneHost {
    /// What scenes can ask of this host. It does not keep the host.
    var windowDesk: WindowDesk {
        WindowDesk(
            open: { [weak self] destination, configuration, attempt in
                guard let self else { return .abandoned(reason: "shutdown") }
                return openWindow(for: destination, configuration: configuration, attempt)
            },
            close: { [weak self] attempt in
                guard let self else { return .abandoned(reason: "shutdown") }
                return closeWindow(of: attempt)
            },
            closeOthers: { [weak self] destination, attempt in
                guard let self else { return .abandoned(reason: "shutdown") }
                return closeWindows(for: destination, attempt)
            },
            refresh: { [weak self] destination, attempt in
                guard let self else { return .abandoned(reason: "shutdown") }
                return refreshWindows(for: destination, attempt)
            }
        )
    }

    /// What a window for a destination begins with.
    private func beginning(for destination: Destination) -> Result<EventWork, Refusal> {
        do throws(AdmissionError) {
            return .success(try door.window(for: destination))
        } catch {
            guard case .route(let error) = error else {
                return .failure(Refusal(.rejected(reason: "validationFailed: \(destination.id)")))
            }
            return .failure(Refusal(.rejected(reason: error.reasonOfRefusal)))
        }
    }

    /// Why an attempt ends without having asked anything.
    private struct Refusal: Error {
        let outcome: Outcome

        init(_ outcome: Outcome) { self.outcome = outcome }
    }

    /// Asks something of windows for an attempt, in one synchronous section.
    ///
    /// - Parameter body: What is asked; `own` is the attempt's own scene, `nil` if the app itself asks.
    /// - Returns: The outcome, if the attempt ends here: its user has left, its window is gone, or the host stops.
    private func ask(
        _ attempt: Attempt,
        _ body: (_ own: SceneDirectory.Entry?, SessionSnapshot, inout SceneDirectory) -> Void
    ) -> Outcome? {
        store.withNewest { newest in
            directory.withLock { directory in
                if attempt.isLeft(by: newest) { return .abandoned(reason: "userLeft") }
                if directory.isDraining { return .abandoned(reason: "shutdown") }
                // A client, or what is done in another window, may have discarded it meanwhile.
                let own = attempt.subject.scene.flatMap { directory.entries[$0] }
                if attempt.subject.scene != nil, own == nil { return .abandoned(reason: "sceneDiscarded") }
                body(own, newest, &directory)
                return nil
            }
        }
    }

    /// Opens a window for an attempt, and admits to it the event with which it begins.
    private func openWindow(for destination: Destination, configuration: String?, _ attempt: Attempt) -> Outcome? {
        switch beginning(for: destination) {
        case .failure(let refusal): refusal.outcome
        case .success(let work):
            ask(attempt) { _, newest, directory in
                let answer = open(work, configuration: configuration, attempt, at: newest, in: &directory)
                attempt.windows.append(answer)
            }
        }
    }

    private func open(
        _ work: EventWork,
        configuration: String?,
        _ attempt: Attempt,
        at newest: SessionSnapshot,
        in directory: inout SceneDirectory
    ) -> WindowAnswer {
        if let answer = attempt.answerBefore() { return answer }
        let sender = attempt.event.key.sender
        func record(_ answer: WindowAnswer) -> WindowAnswer {
            guard case .navigate(let request, _) = work else { return answer }
            records.append(
                .windowRequested(.open(request.destination, configuration: configuration, answer)),
                attempt.subject.at(newest),
                keeping: [.effect(attempt.event.key, .window(answer))]
            )
            return answer
        }
        do throws(SceneError) {
            _ = try checkOpening(nil, configuration: configuration, in: directory)
        } catch {
            let isOnlyOne = app.current.manifest.policies.maximumScenes == 1
            return record(.denied(isOnlyOne ? .multipleScenesNotSupported : .requestDenied))
        }
        do throws(AdmissionError) {
            try ledger.reserve(work.footprint, sender: sender, isInside: false)
        } catch {
            return record(.denied(.requestDenied))
        }
        let id = directory.makeID()
        let answer = record(.opened(scene: id))
        let incoming = Incoming(
            key: EventKey(sender: sender, id: ledger.makeID(sender: sender)),
            isKeyMade: true,
            contentHash: 0,
            kind: WindowRequest.eventKind,
            source: .internal,
            options: ["userActivities"],
            connection: attempt.event.connection,
            work: work
        )
        // Neither can fail: it has been checked that there may be another scene, and a new mailbox is empty.
        if let entry = try? open(id, configuration: configuration, by: .event, at: newest, in: &directory) {
            _ = try? admit(incoming, to: .scene(entry, .new), at: newest, in: &directory)
        }
        return answer
    }

    /// Discards the scene of an attempt that wants its window closed.
    private func closeWindow(of attempt: Attempt) -> Outcome? {
        var closed: SceneDirectory.Entry?
        let refusal = ask(attempt) { own, newest, directory in
            guard let own else { return }
            let named = attempt.closing.map { NamedWindow($0, scene: own.scene.id) }
            closed = close(own, named, attempt, at: newest, in: &directory)
        }
        guard let closed else { return refusal }
        attempt.hasClosedWindow = true
        finishDiscarding(closed) { _ in }
        return nil
    }

    /// Discards every scene that is for a destination, but for the attempt's own.
    private func closeWindows(for destination: Destination, _ attempt: Attempt) -> Outcome? {
        var closed: [SceneDirectory.Entry] = []
        let refusal = askOfWindows(for: destination, attempt, { .close($0) }) { window, entry, own, newest, directory in
            if entry.scene.id == own?.scene.id {
                attempt.closing = window.destination
            } else if let entry = close(entry, window, attempt, at: newest, in: &directory) {
                closed.append(entry)
            }
        }
        for entry in closed { finishDiscarding(entry) { _ in } }
        return refusal
    }

    private func close(
        _ entry: SceneDirectory.Entry,
        _ window: NamedWindow?,
        _ attempt: Attempt,
        at newest: SessionSnapshot,
        in directory: inout SceneDirectory
    ) -> SceneDirectory.Entry? {
        // First, so that nothing begins in it once the record is there.
        entry.scene.life.discard()
        records.append(
            .windowRequested(.close(window)),
            attempt.subject.at(newest),
            keeping: [.closing(scene: entry.scene.id)]
        )
        return directory.remove(entry.scene.id)
    }

    /// Has the attempt's scene, or every one that is for a destination, judged again.
    private func refreshWindows(for destination: Destination?, _ attempt: Attempt) -> Outcome? {
        guard let destination else {
            return ask(attempt) { own, newest, _ in
                guard let own else { return }
                records.append(.windowRequested(.refresh()), attempt.subject.at(newest))
                own.scene.sessionDidCommit()
            }
        }
        return askOfWindows(for: destination, attempt, { .refresh($0) }) { window, entry, _, newest, directory in
            // Changes of a scene's life are queued with the directory's lock held, so none takes the room meanwhile.
            let isRefused = !entry.willBeConnected && !entry.scene.mailbox.hasRoomForChange
            let named = isRefused ? NamedWindow(window.destination, scene: nil) : window
            records.append(.windowRequested(.refresh(named)), attempt.subject.at(newest))
            if !isRefused { refresh(entry, in: &directory) }
        }
    }

    /// Has a window judged again; one that is disconnected is brought back for that, as the system does it.
    private func refresh(_ entry: SceneDirectory.Entry, in directory: inout SceneDirectory) {
        guard !entry.willBeConnected else { return entry.scene.sessionDidCommit() }
        let change = LifecycleChange.Kind.connect(configuration: entry.configuration.name, nil, by: .system)
        guard (try? queue(change, entry) { _ in }) != nil else { return }
        directory.setWillBeConnected(true, entry.scene.id)
    }

    /// Asks something of every window that is for a destination; records that there is none.
    private func askOfWindows(
        for destination: Destination,
        _ attempt: Attempt,
        _ request: (NamedWindow) -> WindowRequest,
        _ body: (
            NamedWindow, SceneDirectory.Entry, _ own: SceneDirectory.Entry?, SessionSnapshot, inout SceneDirectory
        ) -> Void
    ) -> Outcome? {
        let purpose: Destination
        switch beginning(for: destination) {
        case .failure(let refusal): return refusal.outcome
        case .success(let work): purpose = work.destination ?? destination
        }
        return ask(attempt) { own, newest, directory in
            let entries = directory.scenes(for: purpose)
            if entries.isEmpty {
                records.append(
                    .windowRequested(request(NamedWindow(purpose, scene: nil))),
                    attempt.subject.at(newest)
                )
            }
            for entry in entries {
                body(NamedWindow(purpose, scene: entry.scene.id), entry, own, newest, &directory)
            }
        }
    }
}
