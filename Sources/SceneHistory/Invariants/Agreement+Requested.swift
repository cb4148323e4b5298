internal import SceneModel
internal import SceneVocabulary

// The windows that the app asks for.
extension Agreement {
    /// Whether what follows from what somebody did asks for a window, or to close one, and what may have come of it.
    func requested(
        _ request: HistoryRecord.WindowRequest,
        _ record: HistoryRecord,
        _ app: AppModel,
        _ history: KnownHost
    ) -> [String] {
        guard let memory = record.scene.flatMap({ scenes[$0] }) else { return [] }
        let followed = memory.followed
        var objections: [String] = []
        switch request {
        case .open(let destination, let configuration, _, let error):
            if let objection = app.objection(to: destination) { objections.append(objection) }
            if let configuration, error == nil, !app.isConfiguration(configuration) {
                objections.append("the app has no configuration \(configuration)")
            }
            if error != nil, (error == .multipleScenesNotSupported) != (app.maximumScenes == 1) {
                objections.append("the app allows \(app.maximumScenes) scenes")
            }
            if !memory.isDecidedInSwift,
                !followed.contains(where: { app.ask($0, for: destination, in: configuration) })
            {
                objections.append("nothing that was done asks for a window for \(destination)")
            }
        case .close:
            if !memory.isDecidedInSwift, followed.allSatisfy({ app.closes($0) == false }) {
                objections.append("nothing that was done closes the window")
            }
            if memory.isDenied { objections.append("it closes the window, though one that it asked for was denied") }
        }
        return objections
    }

    /// What asks for windows, or closes one, does so unless it could not do everything else.
    func withoutWindows(_ end: HistoryRecord.End, _ dispatch: OpenDispatch, _ memory: Memory, _ app: AppModel)
        -> [String]
    {
        guard dispatch.attempt == 1, !hasCode else { return [] }
        let isDone = end.outcome == .applied || end.outcome == .unchanged || end.outcome == .delivered
        guard isDone || end.outcome == .gated else { return [] }
        var objections: [String] = []
        let least = memory.followed.reduce(0) { $0 + app.leastWindows($1) }
        if memory.windows < least {
            objections.append("it asks for \(least) windows, but \(memory.windows) were asked for")
        }
        let most = memory.followed.reduce(0) { $0 + app.mostWindows($1) }
        if !memory.isDecidedInSwift, memory.windows > most {
            objections.append("it asks for \(most) windows at most, but \(memory.windows) were asked for")
        }
        if isDone, !memory.hasClosed, !memory.isDenied, memory.followed.contains(where: { app.closes($0) == true }) {
            objections.append("it closes the window, which was not done")
        }
        return objections
    }
}
