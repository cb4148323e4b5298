internal import CommandMistakes
internal import CommandConsole

extension CommandMistake.Habits {
    /// Words of `xcrun simctl`, `systemctl`, `curl` and of what people guess.
    static let ofScenectl = CommandMistake.Habits(
        verbs: [
            "boot": "connect", "launch": "connect", "open": "openurl", "url": "openurl", "start": "connect",
            "new": "connect", "create": "connect", "init": "app new", "erase": "reset", "clear": "reset",
            "terminate": "discard",
            "kill": "discard", "close": "discard", "delete": "discard", "shutdown": "drain", "stop": "drain",
            "restart": "drain", "quit": "drain", "ls": "list", "ps": "list", "windows": "list", "scenes": "list",
            "get": "show", "log": "records", "logs": "records", "history": "records", "events": "records",
            "tail": "watch", "follow": "watch", "monitor": "watch", "login": "session sign-in",
            "signin": "session sign-in", "logout": "session sign-out", "signout": "session sign-out",
            "notify": "push", "notification": "push", "apns": "push", "handoff": "activity", "deeplink": "openurl",
            "explain": "why", "version": "--version", "config": "status", "info": "status", "reload-config": "reload",
            "wait": "quiesce", "lint": "app validate", "validate": "app validate", "replay": "play", "time": "advance",
            "test": "adapter test", "exec": "with-daemon", "run": "with-daemon", "with": "with-daemon",
        ],
        options: usualOptions
    )
}
