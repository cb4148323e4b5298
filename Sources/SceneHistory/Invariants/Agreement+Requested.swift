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
        case .close(let window):
            let isOwn = window == nil || window?.scene == record.scene
            if let window {
                objections += asked(.close, of: window.destination, memory, app)
            } else if !memory.isDecidedInSwift, followed.allSatisfy({ app.closes($0) == false }) {
                objections.append("nothing that was done closes the window")
            }
            if isOwn, memory.isDenied {
                objections.append("it closes the window, though one that it asked for was denied")
            }
        case .refresh(let window?): objections += asked(.refresh, of: window.destination, memory, app)
        case .refresh(nil):
            if !memory.isDecidedInSwift, followed.allSatisfy({ app.refreshes($0) == false }) {
                objections.append("nothing that was done refreshes the window")
            }
        }
        return objections
    }

    /// Whether what was done asks something of the windows that are for a destination.
    private func asked(_ wish: WindowWish, of destination: Destination, _ memory: Memory, _ app: AppModel) -> [String] {
        var objections: [String] = []
        if let objection = app.objection(to: destination) { objections.append(objection) }
        let isAsked = memory.followed.contains { app.ask($0, wish, ofWindowsFor: destination) }
        if !memory.isDecidedInSwift, !isAsked {
            objections.append("nothing that was done asks to \(wish.rawValue) the windows for \(destination)")
        }
        return objections
    }

    /// What asks for windows, or closes one, does so unless it could not do everything else.
    func withoutWindows(_ end: HistoryRecord.End, _ dispatch: OpenDispatch, _ memory: Memory, _ app: AppModel)
        -> [String]
    {
        guard !dispatch.isResume, !hasCode else { return [] }
        let isDone = end.outcome == .applied || end.outcome == .unchanged || end.outcome == .delivered
        guard isDone || end.outcome == .gated else { return [] }
        var objections: [String] = []
        func least(_ wish: WindowWish) -> Int { memory.followed.reduce(0) { $0 + app.least(wish, $1) } }
        let windows = least(.open)
        if memory.windows < windows {
            objections.append("it asks for \(windows) windows, but \(memory.windows) were asked for")
        }
        // Its own may be the only one that is for a destination, and stays where another was denied, or waits at a gate.
        if isDone, !memory.isDenied, memory.closings < least(.close) {
            objections.append("it closes windows by what they are for, which was not done")
        }
        let own = memory.followed.count { app.refreshes($0) == true }
        if memory.refreshes < least(.refresh) + own { objections.append("it refreshes windows, which was not done") }
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
