#if canImport(UIKit) && !os(watchOS)
    public import SceneEntryPoints
    internal import SceneRouting
    public import SceneRuntime
    internal import StrictJSON

    // What comes to the app, and what the recording has of it.
    extension SceneApp {
        /// Gives the runtime an event, such as a push that UIKit has handed to the app's delegate.
        ///
        /// - Parameters:
        ///   - event: The event.
        ///   - scene: The scene that gets it; `nil` lets the runtime choose.
        ///   - done: Called once, with what has come of it; with `nil` if it was refused, which ``onRefusal`` is told.
        public func send(
            _ event: EntryEvent,
            to scene: String? = nil,
            done: @escaping @MainActor (Receipt?) -> Void = { _ in }
        ) {
            do throws(AdmissionError) {
                let admission = try host.admit(Submission(event, scene: scene))
                note(event.kind.call, event.json, scene, [admission], secretsOf: [event])
                settle(admission, done)
            } catch {
                refuse("the \(event.kind.rawValue) event\(scene.map { " for \($0)" } ?? ""): \(error)")
                done(nil)
            }
        }

        func send(_ urls: URLSet, to scene: String) {
            do throws(AdmissionError) {
                let admissions = try host.admit(SetSubmission(urls, scene: scene))
                let tickets = admissions.map { $0.receipt.ticket ?? 0 }
                let order = tickets.indices.sorted { tickets[$0] < tickets[$1] }.map { JSONValue.integer($0 + 1) }
                let texts = urls.events.map { $0.json["url"] ?? .null }
                var parameters: JSONObject = ["urls": .array(texts), "order": .array(order)]
                parameters["sourceApplication"] = urls.events.first?.json["sourceApplication"]
                note("Events.OpenURLs", parameters, scene, admissions, secretsOf: urls.events)
            } catch {
                refuse("the URLs for \(scene): \(error)")
            }
        }

        func submit(
            _ action: SceneAction,
            in scene: String,
            _ done: @escaping @MainActor (Receipt?) -> Void
        ) throws(AdmissionError) {
            let admission = try host.admit(Submission(action, scene: scene))
            let (call, parameters) = action.call
            note(call, parameters, scene, [admission])
            settle(admission, done)
        }

        private func settle(_ admission: SceneHost.Admission, _ done: @escaping @MainActor (Receipt?) -> Void) {
            host.whenReached(.settled, admission) { receipt in
                // It ends by itself.
                Task { @MainActor in done(receipt) }
            }
        }

        func refuse(_ what: String) { onRefusal(what) }

        /// Reads what UIKit handed over; what cannot be read is refused.
        func read<Value>(_ what: String, _ body: () throws(JSONFieldError) -> Value) -> Value? {
            do throws(JSONFieldError) {
                return try body()
            } catch {
                refuse("\(what): \(error)")
                return nil
            }
        }

        /// Notes a call with placeholders for its secrets.
        ///
        /// - Parameter events: What came from outside with it: only the adapters can say what is secret there.
        @discardableResult
        func note(
            _ call: String,
            _ parameters: JSONObject,
            _ scene: String? = nil,
            _ admissions: [SceneHost.Admission] = [],
            secretsOf events: [EntryEvent] = []
        ) -> Int {
            var parameters = parameters
            if let scene { parameters["scene"] = .string(scene) }
            if host.conceals {
                var sent = SentSecrets()
                for event in events { sent.add(host.secrets(in: event)) }
                let recorded =
                    events.isEmpty
                    ? RecordedCall(parameters, of: call, known, by: host)
                    : RecordedCall(parameters, sent, known, by: host)
                known.add(recorded.placeholders, of: host.records.host)
                parameters = recorded.parameters
            }
            return script.note(call, parameters, at: host.uptime, events: admissions.map(\.receipt.event))
        }

        /// Notes an announced activity, and takes it back when it comes.
        func announce(_ type: String?, in scene: String) { announced[scene] = type }

        func isAnnounced(_ type: String, in scene: String) -> Bool { announced[scene] == type }

        /// Whether a response is another than the last: at a launch UIKit may hand over one twice, with the scene and by itself.
        func isNew(response: String) -> Bool {
            defer { lastResponse = response }
            return lastResponse != response
        }
    }
#endif
