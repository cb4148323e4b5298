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
            }
        )
    }

    /// Opens a window for an attempt, and admits to it the event with which it begins.
    private func openWindow(for destination: Destination, configuration: String?, _ attempt: Attempt) -> Outcome? {
        let work: EventWork
        do throws(AdmissionError) {
            work = try door.window(for: destination)
        } catch {
            guard case .route(let error) = error else {
                return .rejected(reason: "validationFailed: \(destination.id)")
            }
            return .rejected(reason: error.reasonOfRefusal)
        }
        return store.withNewest { newest in
            directory.withLock { directory in
                if attempt.isLeft(by: newest) { return .abandoned(reason: "userLeft") }
                if directory.isDraining { return .abandoned(reason: "shutdown") }
                let answer = open(work, configuration: configuration, attempt, at: newest, in: &directory)
                attempt.windows.append(answer)
                return nil
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
        let sender = attempt.event.key.sender
        func record(_ answer: WindowAnswer) -> WindowAnswer {
            guard case .navigate(let request, _) = work else { return answer }
            records.append(
                .windowRequested(.open(request.destination, configuration: configuration, answer)),
                attempt.subject.at(newest)
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
        let (entry, refusal): (SceneDirectory.Entry?, String) = store.withNewest { newest in
            directory.withLock { directory in
                if attempt.isLeft(by: newest) { return (nil, "userLeft") }
                if directory.isDraining { return (nil, "shutdown") }
                // A client may have discarded it meanwhile.
                guard let scene = attempt.subject.scene, let entry = directory.remove(scene) else {
                    return (nil, "sceneDiscarded")
                }
                records.append(.windowRequested(.close), attempt.subject.at(newest))
                entry.scene.life.discard()
                return (entry, "")
            }
        }
        guard let entry else { return .abandoned(reason: refusal) }
        attempt.hasClosedWindow = true
        finishDiscarding(entry) { _ in }
        return nil
    }
}
