extension MistakesTests {
    /// The files that the mistakes are about.
    static let files: [String: [UInt8]] = {
        var files = texts.mapValues { Array($0.utf8) }
        for (name, part, other) in spoilt { files[name] = Array(good.replacing(part, with: other).utf8) }
        files["latin1.json"] = Array(#"{"aps": {"alert": "caf"#.utf8) + [0xE9] + Array(#""}}"#.utf8)
        return files
    }()

    private static let texts = [
        "empty.json": "",
        "payload.apns": #"{"aps": {"alert": "x"}, "url": "qcommerce://cart"}"#,
        "array.json": "[1]",
        "notjson.json": "{aps: 1}",
        "comma.json": "{\"aps\": {\"alert\": \"x\"},}\n",
        "single.json": "{'aps': {}}",
        "dup.json": #"{"aps": {"alert": "x"}, "aps": {}}"#,
        "folder/x": "",
        "noaps.json": #"{"app": {"alert": "x"}}"#,
        "aps-typo.json": #"{"aps": {"alret": "x"}}"#,
        "aps-string.json": #"{"aps": "hello"}"#,
        "tabs.yaml": "format: 1\nid: x\ntabs:\n\t- home\n",
        "badindent.yaml": "format: 1\nid: x\n tabs: [home]\n",
        "dupkeys.yaml": "id: x\nid: y\n",
        "empty.yaml": "",
        "list.yaml": "- a\n- b\n",
        "text.yaml": "just text\n",
        "quote.yaml": "id: \"x\ntabs: [home]\n",
        "script-bad.jsonl": "{\"method\": \"io.scened.Events.OpenURL\", \"parameters\": {\"url\": \"x\"}\n",
        "script-typo.jsonl": "{\"cal\": \"Events.OpenURL\"}\n",
        "script-outcome.jsonl":
            "{\"call\": \"Events.OpenURL\", \"parameters\": {\"url\": \"x\"}, \"expect\": {\"receipt\": {\"outcome\": \"aplied\"}}}\n",
        "script-method.jsonl": "{\"call\": \"Control.Reset\"}\n{\"call\": \"Scenes.Conect\"}\n",
        "script-interface.jsonl": "{\"call\": \"Scene.Connect\"}\n",
        "script-window.jsonl":
            "{\"call\": \"Scenes.Connect\", \"parameters\": {\"scene\": \"Main\"}}\n{\"call\": \"Scenes.Get\", \"parameters\": {\"scene\": \"Mian\"}}\n",
        "script-key.jsonl":
            #"{"call": "Scenes.Get", "parameters": {"scene": "A"}, "expect": {"scene": {"widnow": "home"}}}"#,
        "script-state.jsonl":
            #"{"call": "Scenes.Get", "parameters": {"scene": "A"}, "expect": {"scene": {"activation": "backgroud"}}}"#,
        "script-type.jsonl": #"{"call": "Session.Get", "expect": {"session": {"revision": "3"}}}"#,
        "script-screen.jsonl":
            #"{"call": "Scenes.Get", "parameters": {"scene": "A"}, "expect": {"scene": {"window": "home › crat"}}}"#,
        "script-parameter.jsonl":
            #"{"call": "Routing.Resolve", "parameters": {"url": "qcommerce://product/p1"}, "expect": {"resolution": {"target": "home › product(ID: p1)"}}}"#,
        "script-unread.jsonl":
            #"{"call": "Scenes.Get", "parameters": {"scene": "A"}, "expect": {"scene": {"window": "home › auth[login"}}}"#,
        "script-fact.jsonl": #"{"call": "Session.Get", "expect": {"session": {"facts": {"crat": ["p1"]}}}}"#,
        "script-no-fact.jsonl": #"{"call": "Session.Get", "expect": {"session": {"facts": {"crat": null}}}}"#,
        "script-error.jsonl":
            #"{"call": "Events.OpenURL", "parameters": {"url": "x"}, "expect": {"error": "UnknownRute"}}"#,
        "script-reason.jsonl":
            #"{"call": "Events.OpenURL", "parameters": {"url": "x"}, "expect": {"error": "UnknownRoute", "parameters": {"ulr": "x"}}}"#,
        "script-at.jsonl": #"{"at": -1, "call": "Session.Get"}"#,
        "script-why.jsonl":
            #"{"call": "Events.OpenURL", "parameters": {"url": "x"}, "expect": {"receipt": {"outcome": "rejected", "reason": "inStok"}}}"#,
        "script-gate.jsonl":
            #"{"call": "Events.OpenURL", "parameters": {"url": "x"}, "expect": {"receipt": {"outcome": "gated", "precondition": "signdIn"}}}"#,
        "script-applied.jsonl":
            #"{"call": "Events.OpenURL", "parameters": {"url": "x"}, "expect": {"receipt": {"outcome": "applied", "reason": "inStock"}}}"#,
        "script-seed.jsonl": "{\"call\": \"Session.Get\"}\n{\"call\": \"Session.Get\", \"seed\": 1}\n",
        "script-empty.jsonl": "",
        "script-shell.sh": "scenectl openurl x\n",
        "scenario-typo.yaml": "nmae: x\n",
        "scenario-moved.yaml":
            "name: x\ndescription: y\napp: moved/m.yaml\nwindows: { A: {} }\nactors: { a: [sign-out], b: [sign-out] }\n",
        "scenario-tabs.yaml": "name: x\nwindows:\n\t- A\n",
        "scenario-empty.yaml": "",
        "scened-unit.yaml": "transition: 350ms\n",
        "scened-tabs.yaml": "limits:\n\tconnections: 5\n",
        "scened-dup.yaml": "mailbox: 5\nmailbox: 6\n",
        "scened-list.yaml": "- mailbox: 5\n",
        "scened-neg.yaml": "mailbox: -1\n",
        "scened-role2.yaml": "roles:\n  observe: root\n",
        "fix/a.json": #"{"evnt": {"url": "qcommerce://cart"}}"#,
        "fix2/x.txt": "",
        "history.jsonl": "{\"kind\": \"x\"}\n",
        "events.json": #"{"ulr": "qcommerce://cart"}"#,
        "s-scene.yaml":
            "name: demo\ndescription: x\nwindows: { A: {} }\nactors:\n  one:\n    - { openurl: \"qcommerce://cart\", scene: B }\nexpect: {}\n",
        "s-key.yaml":
            "name: demo\ndescription: x\nwindwos: { A: {} }\nactors:\n  one:\n    - { openurl: \"qcommerce://cart\", scene: A }\nexpect: {}\n",
        "s-app.yaml":
            "name: demo\ndescription: x\napp: bnak\nwindows: { A: {} }\nactors:\n  one:\n    - { openurl: \"qcommerce://cart\", scene: A }\nexpect: {}\n",
    ]

    /// A manifest without problems, to be spoilt.
    private static let good = """
        name: Demo
        schemes: [demo]
        tabs: { home: home }
        preconditions:
          signedIn: { holds: signedIn, flow: auth }
        destinations:
          home: { tab: home, routes: ["demo://home"] }
          item:
            ancestry: [home]
            preconditions: [signedIn]
            parameters: { id: string }
            routes: ["demo://item/{id}"]
        flows:
          auth: { completionNeedsUser: true, screens: [login] }

        """

    /// Manifests by their names: what is replaced in the good one, and by what.
    private static let spoilt = [
        ("m-key.yaml", "destinations:", "destinatons:"),
        ("m-name.yaml", "name: Demo", "nmae: Demo"),
        ("m-tab.yaml", "tab: home, routes", "tab: hmoe, routes"),
        ("m-flow.yaml", "flow: auth", "flow: atuh"),
        ("m-need.yaml", "preconditions: [signedIn]", "preconditions: [singedIn]"),
        ("m-ancestry.yaml", "ancestry: [home]", "ancestry: [hme]"),
        ("m-type.yaml", "{ id: string }", "{ id: strng }"),
        ("m-capture.yaml", "item/{id}", "item/{ids}"),
        ("m-inner.yaml", "ancestry: [home]", "ancestr: [home]"),
        ("m-scheme.yaml", #""demo://home""#, #""dmo://home""#),
        ("m-bool.yaml", "completionNeedsUser: true", "completionNeedsUser: yes"),
        ("m-list.yaml", "screens: [login]", "screens: login"),
        ("m-indent.yaml", "    ancestry: [home]\n", "   ancestry: [home]\n"),
        ("m-bracket.yaml", "screens: [login]", "screens: [login"),
        ("m-brace.yaml", "schemes: [demo]", "schemes: {demo}"),
        ("m-holds.yaml", "holds: signedIn", "hold: signedIn"),
        ("m-empty.yaml", "schemes: [demo]", "schemes:"),
    ]

    static let mistakes: [Mistake] = [
        Mistake(
            line: "init MyApp",
            status: 2,
            message: "Error: There is no command 'init'; scenectl calls it 'app new'"
        ),
        Mistake(
            line: "app swift bnak",
            status: 2,
            message: """
                scenectl: bnak: No such file or directory. There is no example 'bnak'. Did you mean 'bank'? The examples are \
                shop, bank, club.
                """
        ),
        Mistake(
            line: "app swift bank --as my-app",
            status: 2,
            message: """
                Error: --as my-app: expected the name of a type, letters and digits that begin with a capital, \
                such as MyApp, which Swift and the types themselves do not use.
                """
        ),
        Mistake(
            line: "app swift bank --as String",
            status: 2,
            message: """
                Error: --as String: expected the name of a type, letters and digits that begin with a capital, \
                such as MyApp, which Swift and the types themselves do not use.
                """
        ),
        Mistake(
            line: "app swift bank --access secret",
            status: 2,
            message: "Error: --access: 'secret' is not one of internal, package, public"
        ),
        Mistake(
            line: "app compare",
            status: 2,
            message: """
                Error: Missing expected argument '<a>'
                Help:  <a>  The app that says what is right, and whose manifest says what there is to do.
                """
        ),
        Mistake(
            line: "app compare shop",
            status: 2,
            message: """
                Error: Missing expected argument '<b>'
                Help:  <b>  The app that should be the same.
                """
        ),
        Mistake(
            line: "app compare shop bnak",
            status: 2,
            message:
                "scenectl: bnak: No such file or directory; expected the socket of a daemon, the program of one, a manifest or an example. There is no example 'bnak'. Did you mean 'bank'? The examples are shop, bank, club."
        ),
        Mistake(
            line: "app compare DIR/tabs.yaml shop --save DIR/tabs.yaml",
            status: 2,
            message:
                "scenectl: --save DIR/tabs.yaml: would replace DIR/tabs.yaml, which is read; expected another file."
        ),
        Mistake(
            line: "app compare shop shop --save DIR/folder",
            status: 2,
            message: "scenectl: --save DIR/folder: expected a file, found a folder."
        ),
        Mistake(
            line: "app compare shop shop --save DIR/missing/difference.jsonl",
            status: 2,
            message:
                "scenectl: --save DIR/missing/difference.jsonl: DIR/missing: No such file or directory; expected a file in a folder that is there."
        ),
        Mistake(
            line: "app compare unix:DIR/shop.sock shop",
            status: 2,
            message: "scenectl: 'unix:DIR/shop.sock' is an address; give only the path, 'DIR/shop.sock'."
        ),
        Mistake(
            line: "app compare DIR/none.yaml shop",
            status: 2,
            message:
                "scenectl: DIR/none.yaml: No such file or directory; expected the socket of a daemon, the program of one, a manifest or an example."
        ),
        Mistake(
            line: "app compare shop DIR/folder",
            status: 2,
            message: "scenectl: DIR/folder: expected a socket, a program or a manifest, found a folder."
        ),
        Mistake(
            line: "app compare DIR/tabs.yaml shop",
            status: 2,
            message: "scenectl: DIR/tabs.yaml:4:1: error: the line is indented with a tab; expected spaces"
        ),
        Mistake(
            line: "app compare DIR/shop.sock DIR/shop.sock",
            status: 2,
            message: "scenectl: DIR/shop.sock and DIR/shop.sock are one daemon; expected two."
        ),
        Mistake(
            line: "app compare shop DIR/bank.sock",
            status: 2,
            message:
                "scenectl: DIR/bank.sock has a real clock and shop a virtual one; expected two alike. Start the daemon with --clock virtual."
        ),
        Mistake(line: "app compare shop shop --steps 0", status: 2, message: "Error: --steps 0: expected 1 or more."),
        Mistake(
            line: "app compare shop shop --walk 3",
            status: 2,
            message: "Error: --walk: expected together with --seed: each seed has other walks."
        ),
        Mistake(
            line: "app compare shop shop --time 5",
            status: 2,
            message:
                "scenectl: --time 5: expected a time of at least 1ms in whole numbers, each with its unit: 500ms, 5s, 1s500ms, 2m or 1h."
        ),
        Mistake(
            line: "app compare shop shop --script DIR/script-method.jsonl",
            status: 2,
            message:
                "scenectl: DIR/script-method.jsonl, step 1: call: expected one of Events, Scenes or Session, Control.Advance or Routing.Resolve, found 'Control.Reset'."
        ),
        Mistake(
            line: "app compare shop shop --script DIR/script-method.jsonl --seed 1",
            status: 2,
            message: "Error: --script: expected without --seed, --walk and --time, which are about walks."
        ),
        Mistake(
            line: "app new my-app --swift",
            status: 2,
            message: """
                Error: 'my-app' is no name for an app; expected 1 to 64 letters and digits of ASCII, beginning \
                with a letter; did you mean 'MyApp'?
                """
        ),
        Mistake(
            line: "app new 7 --swift",
            status: 2,
            message: """
                Error: '7' is no name for an app; expected 1 to 64 letters and digits of ASCII, beginning with \
                a letter.
                """
        ),
        Mistake(
            line: "app new class --swift",
            status: 2,
            message: """
                Error: 'class' is a word of Swift and cannot name a module; expected another name, such as \
                'ClassApp'.
                """
        ),
        Mistake(
            line: "app new Testing --swift",
            status: 2,
            message: """
                Error: 'Testing' is the name of a module that the package would link; expected another name, \
                such as 'MyTesting'.
                """
        ),
        Mistake(
            line: "app new Http --swift",
            status: 2,
            message: """
                Error: 'Http' would name the app's own URL scheme, and that one is the web's; expected another \
                name, such as 'MyHttp'.
                """
        ),
        Mistake(
            line: "app new MyApp",
            status: 2,
            message: "Error: Missing --swift: coordinators are written in Swift; there is no other language."
        ),
        Mistake(
            line: "app new --swift",
            status: 2,
            message: """
                Error: Missing expected argument '<name>'
                Help:  <name>  The name of the app and its folder: letters and digits of ASCII, beginning with a letter.
                """
        ),
        Mistake(
            line: "app new folder --swift --directory DIR",
            status: 2,
            message: "scenectl: DIR/folder: exists and is not empty; choose another name, or --directory."
        ),
        Mistake(
            line: "app new MyApp --swift --directory DIR/none/deep",
            status: 2,
            message:
                "scenectl: --directory DIR/none/deep: No such file or directory; expected a folder that is there; 'mkdir -p DIR/none/deep' makes it."
        ),
        Mistake(
            line: "app new MyApp --swift --directory DIR/tabs.yaml",
            status: 2,
            message: "scenectl: --directory DIR/tabs.yaml: expected a folder, found a file."
        ),
        Mistake(
            line: "adapter new campaign --language python --directory DIR/none",
            status: 2,
            message:
                "scenectl: --directory DIR/none: No such file or directory; expected a folder that is there; 'mkdir -p DIR/none' makes it."
        ),
        Mistake(
            line: "adapter new folder --language python --directory DIR",
            status: 2,
            message: "scenectl: DIR/folder: exists and is not empty; choose another name, or --directory."
        ),
        Mistake(
            line: "app new MyApp --swift --directory DIR --from DIR/none.yaml",
            status: 2,
            message: "scenectl: DIR/none.yaml: No such file or directory."
        ),
        Mistake(
            line: "app new MyApp --swift --directory DIR --from bnak",
            status: 2,
            message: """
                scenectl: bnak: No such file or directory. There is no example 'bnak'. Did you mean 'bank'? \
                The examples are shop, bank, club.
                """
        ),
        Mistake(
            line: "app new MyApp --swift --directory DIR --from DIR/tabs.yaml",
            status: 2,
            message: "scenectl: DIR/tabs.yaml:4:1: error: the line is indented with a tab; expected spaces"
        ),
        Mistake(
            line: "app new MyApp --swift --directory DIR --scened DIR/folder",
            status: 2,
            message: """
                scenectl: DIR/folder: expected the folder of scened's sources, which has Package.swift and \
                protocol/python.
                """
        ),
        Mistake(
            line: "app new MyApp --swift --scened https://git.example/scened",
            status: 2,
            message: """
                Error: --scened https://git.example/scened: say what to take of it, by --scened-version or \
                --scened-branch, and only one.
                """
        ),
        Mistake(
            line: "app new MyApp --swift --scened https://git.example/scened --scened-version 1",
            status: 2,
            message: "Error: --scened-version 1: expected three numbers, such as 1.2.0."
        ),
        Mistake(
            line: "app new MyApp --swift --scened https://git.example/scened --scened-branch 'a b'",
            status: 2,
            message: "Error: --scened-branch 'a b': expected the name of a branch, such as main."
        ),
        Mistake(
            line: "app new MyApp --swift --scened-branch main",
            status: 2,
            message: "Error: --scened-version and --scened-branch go with the URL of a repository in --scened."
        ),
        Mistake(
            line: "opnurl qcommerce://cart",
            status: 2,
            message: "Error: There is no command 'opnurl'; did you mean 'openurl'?"
        ),
        Mistake(
            line: "open qcommerce://cart",
            status: 2,
            message: "Error: There is no command 'open'; scenectl calls it 'openurl'"
        ),
        Mistake(
            line: "open-url qcommerce://cart",
            status: 2,
            message: "Error: There is no command 'open-url'; did you mean 'openurl'?"
        ),
        Mistake(
            line: "OpenURL qcommerce://cart",
            status: 2,
            message: "Error: There is no command 'OpenURL'; did you mean 'openurl'?"
        ),
        Mistake(
            line: "lst",
            status: 2,
            message: "Error: There is no command 'lst'; did you mean 'list'?"
        ),
        Mistake(
            line: "ls",
            status: 2,
            message: "Error: There is no command 'ls'; scenectl calls it 'list'"
        ),
        Mistake(
            line: "boot A",
            status: 2,
            message: "Error: There is no command 'boot'; scenectl calls it 'connect'"
        ),
        Mistake(
            line: "start",
            status: 2,
            message: "Error: There is no command 'start'; scenectl calls it 'connect'"
        ),
        Mistake(
            line: "session sign-in",
            status: 2,
            message: """
                Error: Missing expected argument '<user>'
                Help:  <user>  The user.
                """
        ),
        Mistake(
            line: "-A openurl x",
            status: 2,
            message: "Error: '-A' comes after the command, as in 'scenectl openurl -A'"
        ),
        Mistake(
            line: "qcommerce://cart",
            status: 2,
            message: "Error: 'qcommerce://cart' is a URL, not a command; 'scenectl openurl qcommerce://cart' opens it"
        ),
        Mistake(
            line: "openurl --scen A qcommerce://cart",
            status: 2,
            message:
                "Error: 'openurl' has no option --scen; did you mean --scene <id>? The window to send it to. Default: the daemon chooses, as iOS would."
        ),
        Mistake(
            line: "openurl --window A qcommerce://cart",
            status: 2,
            message:
                "Error: 'openurl' has no option --window; did you mean --scene <id>? The window to send it to. Default: the daemon chooses, as iOS would."
        ),
        Mistake(
            line: "openurl --device A qcommerce://cart",
            status: 2,
            message:
                "Error: 'openurl' has no option --device; did you mean --scene <id>? The window to send it to. Default: the daemon chooses, as iOS would."
        ),
        Mistake(
            line: "openurl -s A qcommerce://cart",
            status: 2,
            message:
                "Error: 'openurl' has no option -s; did you mean --scene <id>? The window to send it to. Default: the daemon chooses, as iOS would."
        ),
        Mistake(
            line: "openurl qcommerce://cart --scene",
            status: 2,
            message: """
                Error: Missing value for '--scene <id>'
                Help:  --scene <id>  The window to send it to. Default: the daemon chooses, as iOS would.
                """
        ),
        Mistake(
            line: "openurl --scene=A --scene=B qcommerce://cart",
            status: 1,
            message: "scenectl: No window 'B'. 'scenectl list' lists the windows."
        ),
        Mistake(
            line: "openurl --jsn qcommerce://cart",
            status: 2,
            message: "Error: 'openurl' has no option --jsn; did you mean --json? Print the daemon's reply as JSON."
        ),
        Mistake(
            line: "demo --json",
            status: 2,
            message:
                #"{"error":"scenectl.Usage","parameters":{"help":"scenectl demo --help","usage":"scenectl demo [--scened <path>]"},"message":"'demo' takes no --json: it shows a person what there is, and prints no data; 'scenectl list --json' does.","status":2}"#
        ),
        Mistake(
            line: "openurl -json qcommerce://cart",
            status: 2,
            message: "Error: 'openurl' has no option -json; did you mean --json? Print the daemon's reply as JSON."
        ),
        Mistake(
            line: "openurl --wait setled qcommerce://cart",
            status: 2,
            message: "Error: --wait: 'setled' is not one of admitted, settled, finished; did you mean 'settled'?"
        ),
        Mistake(
            line: "openurl --wait 5 qcommerce://cart",
            status: 2,
            message: "Error: --wait: '5' is not one of admitted, settled, finished"
        ),
        Mistake(
            line: "list A",
            status: 2,
            message: "Error: 'A': 'scenectl list' takes no argument, only options"
        ),
        Mistake(
            line: "connect A B",
            status: 2,
            message:
                "Error: 'B' is one argument too many; 'scenectl connect' takes <scene>; quote a value that has spaces"
        ),
        Mistake(
            line: "swipe left",
            status: 2,
            message: """
                Error: The value 'left' is invalid for '<direction>'. Please provide one of 'back' and 'down'.
                Help:  <direction>  back or down.
                """
        ),
        Mistake(
            line: "finish auth",
            status: 2,
            message: """
                Error: Missing one of: '--completed', '--cancelled'
                Help:  --completed <completed>  The flow was completed.
                """
        ),
        Mistake(
            line: "finish auth --complete",
            status: 2,
            message: "Error: 'finish' has no option --complete; did you mean --completed? The flow was completed."
        ),
        Mistake(
            line: "finish auth --completed --cancelled",
            status: 2,
            message: "Error: Value to be set with flag '--cancelled' had already been set with flag '--completed'"
        ),
        Mistake(
            line: "finish auth --cancelled --user anna",
            status: 2,
            message: "scenectl: A flow that was cancelled reports nothing: leave out --user, --fact and --value."
        ),
        Mistake(
            line: "activate A --foreground",
            status: 2,
            message: "Error: 'activate' has no option --foreground; it has --exact, --timeout, --socket, --json, --help"
        ),
        Mistake(
            line: "activate A foreground",
            status: 2,
            message:
                "Error: 'foreground': expected an activation state: foregroundActive, foregroundInactive, background; did you mean 'foregroundActive'?"
        ),
        Mistake(
            line: "activate A background --exact",
            status: 1,
            message:
                "scenectl: Window 'A' cannot go from foregroundActive to background in one step; foregroundInactive lies between. Leave out --exact to take both."
        ),
        Mistake(
            line: "drag A qcommerce://cart",
            status: 2,
            message: "scenectl: Only an http or https URL can be dragged; others are opened with 'scenectl openurl'."
        ),
        Mistake(
            line: "drag A com.example.shop.view --user-info {bad",
            socket: "none.sock",
            status: 2,
            message:
                #"scenectl: --user-info:1:2: expected a member name in double quotes, found 'b'; expected a JSON object such as {"id": "p1"}."#
        ),
        Mistake(
            line: "hold plannd",
            status: 2,
            message:
                "Error: 'plannd': expected one of admitted, resolved, planned, transition, settled; did you mean 'planned'?"
        ),
        Mistake(
            line: "with-daemon",
            status: 2,
            message: "Error: Expected a command after --: scenectl with-daemon -- pytest tests"
        ),
        Mistake(
            line: "with-daemon --set mailbox -- true",
            status: 2,
            message: "Error: --set mailbox: expected key=value."
        ),
        Mistake(
            line: "with-daemon pytest tests",
            status: 2,
            message: "Error: 'pytest': the command that 'scenectl with-daemon' runs comes after --"
        ),
        Mistake(
            line: "hold planned --kind sweep --event mine",
            status: 2,
            message:
                "Error: --event: a sweep has no event; leave out --event, or hold a dispatch or a resume."
        ),
        Mistake(
            line: "hold planned sh",
            status: 2,
            message: "Error: 'sh': the command that 'scenectl hold' runs comes after --"
        ),
        Mistake(
            line: "with-daemon --scened DIR/no-scened -- true",
            status: 125,
            message:
                "scenectl: There is no program 'DIR/no-scened' (from the option); build it with 'swift build --product scened', set SCENED to its path, or put it into PATH."
        ),
        Mistake(
            line: "with-daemon -- pytset",
            status: 127,
            message:
                "scenectl: There is no command 'pytset' in PATH. What comes after -- is run as it is, without a shell."
        ),
        Mistake(
            line: "exec -- true",
            status: 2,
            message: "Error: There is no command 'exec'; scenectl calls it 'with-daemon'"
        ),
        Mistake(
            line: "hold planned --name ä -- true",
            status: 1,
            message:
                "scenectl: hold: \"ä\" has a character that no name has, at byte 1; expected 1 to 128 letters, digits and signs of ASCII, without spaces."
        ),
        Mistake(
            line: "release h99",
            status: 1,
            message:
                "scenectl: No hold 'h99': it was released, or the client that set it has disconnected. 'scenectl hold' prints the ID of a new one."
        ),
        Mistake(
            line: "advance 5s",
            status: 2,
            message: "Error: <milliseconds>: '5s' is not a whole number of milliseconds; '5s' is 5000"
        ),
        Mistake(
            line: "advance -5",
            status: 2,
            message: "Error: <milliseconds>: '-5' is negative; expected 0 or more"
        ),
        Mistake(
            line: "advance 1.5",
            status: 2,
            message:
                "Error: <milliseconds>: '1.5' is not a whole number of milliseconds; expected one such as 350 or 5000"
        ),
        Mistake(
            line: "quiesce --timeout 5x",
            status: 2,
            message: """
                Error: The value '5x' is invalid for '--timeout <time>': expected a time of at least 1ms in whole numbers, each with its unit: 500ms, 5s, 1s500ms, 2m or 1h.
                Help:  --timeout <time>  Give up after this time: 500ms, 5s, 2m. The exit status is 6 then; what was waited for goes on. Default: no limit.
                """
        ),
        Mistake(
            line: "quiesce --timeout 1.5s",
            status: 2,
            message: """
                Error: The value '1.5s' is invalid for '--timeout <time>': expected a time of at least 1ms in whole numbers, each with its unit: 500ms, 5s, 1s500ms, 2m or 1h.
                Help:  --timeout <time>  Give up after this time: 500ms, 5s, 2m. The exit status is 6 then; what was waited for goes on. Default: no limit.
                """
        ),
        Mistake(
            line: "quiesce --timeout -1",
            status: 2,
            message:
                "Error: --timeout <time>: '-1' is negative; expected a time of at least 1ms in whole numbers, each with its unit: 500ms, 5s, 1s500ms, 2m or 1h"
        ),
        Mistake(
            line: "openurl --reconnect 60 qcommerce://cart",
            status: 2,
            message: """
                Error: The value '60' is invalid for '--reconnect <patience>': expected a time from 1s to 1d in whole numbers, each with its unit: 30s, 1m30s, 5m or 1h.
                Help:  --reconnect <patience>  If there is no daemon, or the connection to it is lost, connect again and repeat, for at most this time: 30s, 5m. Default: not at all.
                """
        ),
        Mistake(
            line: "list --reconnect 500ms",
            status: 2,
            message: """
                Error: The value '500ms' is invalid for '--reconnect <patience>': expected a time from 1s to 1d in whole numbers, each with its unit: 30s, 1m30s, 5m or 1h.
                Help:  --reconnect <patience>  If there is no daemon, or the connection to it is lost, connect again and repeat, for at most this time: 30s, 5m. Default: not at all.
                """
        ),
        Mistake(
            line: "status --reconnect 25h",
            status: 2,
            message: """
                Error: The value '25h' is invalid for '--reconnect <patience>': expected a time from 1s to 1d in whole numbers, each with its unit: 30s, 1m30s, 5m or 1h.
                Help:  --reconnect <patience>  If there is no daemon, or the connection to it is lost, connect again and repeat, for at most this time: 30s, 5m. Default: not at all.
                """
        ),
        Mistake(
            line: "quiesce --reconnect -1",
            status: 2,
            message:
                "Error: --reconnect <patience>: '-1' is negative; expected a time from 1s to 1d in whole numbers, each with its unit: 30s, 1m30s, 5m or 1h"
        ),
        Mistake(
            line: "openurl --retry 30s qcommerce://cart",
            status: 2,
            message:
                "Error: 'openurl' has no option --retry; did you mean --reconnect <patience>? If there is no daemon, or the connection to it is lost, connect again and repeat, for at most this time: 30s, 5m. Default: not at all."
        ),
        Mistake(
            line: "session sign-in anna --reconnect 30s",
            status: 2,
            message:
                "Error: 'session sign-in' has no option --reconnect; it has --facts, --expires, --stale, --scene, --socket, --json, --help"
        ),
        Mistake(
            line: "openurl qcommerce://prodct/p1",
            status: 1,
            message:
                "scenectl: No route of the app takes qcommerce://prodct/p1. Did you mean 'qcommerce://product/{id}?ref={ref?}'? 'scenectl routes' lists the app's routes."
        ),
        Mistake(
            line: "openurl https://shop.example/prodct/p1",
            status: 1,
            message:
                "scenectl: No associated domain of the app covers https://shop.example/prodct/p1, so iOS would open it in the browser. Did you mean 'https://shop.example/product/{id}?ref={ref?}'? 'scenectl routes' lists the app's routes."
        ),
        Mistake(
            line: "openurl /product/p1",
            status: 1,
            message:
                #"scenectl: Malformed: url: expected absolute URL such as "https://shop.example/cart", found "/product/p1"."#
        ),
        Mistake(
            line: "openurl 'qcommerce://product/p 1'",
            status: 1,
            message: "scenectl: Malformed: a space must be percent-encoded in a URL."
        ),
        Mistake(
            line: "openurl https:/shop.example/product/p1",
            status: 1,
            message:
                "scenectl: No associated domain of the app covers https:/shop.example/product/p1, so iOS would open it in the browser. Did you mean 'https://shop.example/product/{id}?ref={ref?}'? 'scenectl routes' lists the app's routes."
        ),
        Mistake(
            line: "openurl htps://shop.example/product/p1",
            status: 1,
            message:
                "scenectl: No route of the app takes htps://shop.example/product/p1. Did you mean 'https://shop.example/product/{id}?ref={ref?}'? 'scenectl routes' lists the app's routes."
        ),
        Mistake(
            line: "openurl https://shop.exmple/product/p1",
            status: 1,
            message:
                "scenectl: No associated domain of the app covers https://shop.exmple/product/p1, so iOS would open it in the browser. Did you mean 'https://shop.example/product/{id}?ref={ref?}'? 'scenectl routes' lists the app's routes."
        ),
        Mistake(
            line: "openurl qcomerce://cart",
            status: 1,
            message:
                "scenectl: No route of the app takes qcomerce://cart. Did you mean 'qcommerce://cart'? 'scenectl routes' lists the app's routes."
        ),
        Mistake(
            line: "openurl qcommerce://product/1",
            status: 1,
            message: "scenectl: id: '1' is not text that matches p[0-9]{1,9}."
        ),
        Mistake(
            line: "openurl qcommerce://product",
            status: 1,
            message:
                "scenectl: No route of the app takes qcommerce://product. Did you mean 'qcommerce://product/{id}?ref={ref?}'? 'scenectl routes' lists the app's routes."
        ),
        Mistake(
            line: "openurl qcommerce://product/p1/extra",
            status: 1,
            message:
                "scenectl: No route of the app takes qcommerce://product/p1/extra. Did you mean 'qcommerce://product/{id}?ref={ref?}'? 'scenectl routes' lists the app's routes."
        ),
        Mistake(
            line: "openurl ''",
            status: 1,
            message:
                #"scenectl: Malformed: url: expected absolute URL such as "https://shop.example/cart", found empty string."#
        ),
        Mistake(
            line: "openurl qcommerce://cart booted",
            status: 2,
            message:
                "Error: 'booted': the window comes before the URL, as in 'scenectl openurl booted qcommerce://cart'."
        ),
        Mistake(
            line: "openurl --scene a qcommerce://cart",
            status: 1,
            message: "scenectl: No window 'a'. Did you mean 'A'? 'scenectl list' lists the windows."
        ),
        Mistake(
            line: "openurl --scene 'A B' qcommerce://cart",
            status: 1,
            message:
                #"scenectl: scene: "A B" has a character that no name has, at byte 2; expected 1 to 128 letters, digits and signs of ASCII, without spaces."#
        ),
        Mistake(
            line: "openurl A --scene A qcommerce://cart",
            status: 2,
            message: "Error: Name the window once: either 'A' or --scene A."
        ),
        Mistake(
            line: "openurl A B qcommerce://cart",
            status: 2,
            message: "Error: 'qcommerce://cart': expected at most 2 arguments, the last one '<url>'."
        ),
        Mistake(
            line: "openurl qcommerce://cart https://shop.example/cart",
            status: 1,
            message:
                #"scenectl: None was opened, because of URL 2: Malformed: url: expected URL of a scheme of the app, because a web link comes alone, as a user activity, found "https://shop.example/cart"."#
        ),
        Mistake(
            line: "openurl --order 1,1 qcommerce://cart qcommerce://orders",
            status: 1,
            message: "scenectl: order: expected each of the numbers 1 to 2 once."
        ),
        Mistake(
            line: "openurl --order a qcommerce://cart qcommerce://orders",
            status: 2,
            message: """
                Error: The value 'a' is invalid for '--order <places>'
                Help:  --order <places>  The order in which several URLs come, such as 2,1,3. Default: chance.
                """
        ),
        Mistake(
            line: "openurl --order 1 qcommerce://cart",
            status: 2,
            message: "Error: --order: expected several URLs."
        ),
        Mistake(
            line: "openurl qcommerce://cart qcommerce://nowhere",
            status: 1,
            message:
                "scenectl: None was opened, because of URL 2: No route of the app takes qcommerce://nowhere. 'scenectl routes' lists the app's routes."
        ),
        Mistake(
            line: "openurl -",
            status: 2,
            message: #"scenectl: standard input:1:1: empty; expected a JSON object such as {"id": "p1"}."#
        ),
        Mistake(
            line: "openurl qcommerce://product/%zz",
            status: 1,
            message: "scenectl: Malformed: the path has an incomplete percent escape."
        ),
        Mistake(
            line: "openurl --event 'my event' qcommerce://cart",
            status: 1,
            message:
                #"scenectl: event: "my event" has a character that no name has, at byte 3; expected 1 to 128 letters, digits and signs of ASCII, without spaces."#
        ),
        Mistake(
            line: "openurl --event cart-1 qcommerce://orders",
            status: 1,
            message: "scenectl: A different event has the ID 'cart-1'. Use a new ID, or repeat that event unchanged."
        ),
        Mistake(
            line: "openurl http://shop.example/cart",
            status: 1,
            message:
                "scenectl: No route of the app takes http://shop.example/cart. Did you mean 'https://shop.example/cart'? 'scenectl routes' lists the app's routes."
        ),
        Mistake(
            line: "openurl https://user:pw@shop.example/cart",
            status: 1,
            message:
                "scenectl: No associated domain of the app covers https://user:pw@shop.example/cart, so iOS would open it in the browser. 'scenectl routes' lists the app's routes."
        ),
        Mistake(
            line: "openurl https://shop.example:8443/cart",
            status: 1,
            message:
                "scenectl: No associated domain of the app covers https://shop.example:8443/cart, so iOS would open it in the browser. 'scenectl routes' lists the app's routes."
        ),
        Mistake(
            line: "resolve cart",
            status: 1,
            message: "scenectl: Malformed: the URL must begin with a scheme, such as https: or the app's own."
        ),
        Mistake(
            line: "urls prodct",
            status: 1,
            message: "scenectl: destination: there is no destination 'prodct'; did you mean 'product'?"
        ),
        Mistake(
            line: "urls product id",
            status: 2,
            message: "scenectl: 'id': expected a parameter as name=value, such as id=1."
        ),
        Mistake(
            line: "urls product",
            status: 1,
            message: "scenectl: id: is missing; product needs text that matches p[0-9]{1,9}."
        ),
        Mistake(
            line: "urls product idd=p1",
            status: 1,
            message: "scenectl: idd: product has no such parameter, only id, ref; did you mean 'id'?"
        ),
        Mistake(
            line: "push DIR/payload.apns A",
            status: 2,
            message: "Error: 'A': the file comes last, as in 'scenectl push A DIR/payload.apns'."
        ),
        Mistake(
            line: "push booted com.example.shp DIR/payload.apns",
            status: 1,
            message:
                #"scenectl: Malformed: Simulator Target Bundle: expected "com.example.shop", found "com.example.shp"."#
        ),
        Mistake(
            line: "push com.example.shop DIR/payload.apns",
            status: 1,
            message:
                "scenectl: No window 'com.example.shop'. If that is a bundle identifier, a window or 'booted' comes before it: 'scenectl push booted com.example.shop FILE'."
        ),
        Mistake(
            line: "push DIR/missing.apns",
            status: 2,
            message: "scenectl: DIR/missing.apns: No such file or directory."
        ),
        Mistake(
            line: "push DIR/empty.json",
            status: 2,
            message: #"scenectl: DIR/empty.json:1:1: empty; expected a JSON object such as {"id": "p1"}."#
        ),
        Mistake(
            line: "push DIR/folder",
            status: 2,
            message: "scenectl: DIR/folder: Is a directory; expected a file, or - for standard input."
        ),
        Mistake(
            line: "push DIR/array.json",
            status: 2,
            message: #"scenectl: DIR/array.json:1:1: expected a JSON object such as {"id": "p1"}, found array."#
        ),
        Mistake(
            line: "push DIR/notjson.json",
            status: 2,
            message: "scenectl: DIR/notjson.json:1:2: expected a member name in double quotes, found 'a'."
        ),
        Mistake(
            line: "push DIR/comma.json",
            status: 2,
            message:
                "scenectl: DIR/comma.json:1:24: expected a member name in double quotes after the comma, found '}'."
        ),
        Mistake(
            line: "push DIR/single.json",
            status: 2,
            message: "scenectl: DIR/single.json:1:2: expected a member name in double quotes, found '''."
        ),
        Mistake(
            line: "push DIR/dup.json",
            status: 2,
            message: #"scenectl: DIR/dup.json:1:25: the member "aps" appears twice."#
        ),
        Mistake(
            line: "push DIR/latin1.json",
            status: 2,
            message: "scenectl: DIR/latin1.json:1:20: the string is not UTF-8."
        ),
        Mistake(
            line: "push DIR/noaps.json",
            status: 1,
            message: "scenectl: Malformed: app: expected 'aps', found another member."
        ),
        Mistake(
            line: "push DIR/aps-typo.json",
            status: 0,
            message: "scenectl: warning: aps.alret: unknown key, kept; did you mean 'alert'?"
        ),
        Mistake(
            line: "push DIR/aps-string.json",
            status: 1,
            message: "scenectl: Malformed: aps: expected object, found string."
        ),
        Mistake(
            line: "push --interaction tap DIR/payload.apns",
            status: 1,
            message: #"scenectl: interaction: expected one of present, open, dismiss, action, found "tap"."#
        ),
        Mistake(
            line: "push --action BUY DIR/payload.apns",
            status: 1,
            message:
                #"scenectl: Malformed: action: expected nothing, because the payload names no category in aps.category, found "BUY"."#
        ),
        Mistake(
            line: #"push '{"aps": {}}'"#,
            status: 2,
            message:
                #"scenectl: {"aps": {}}: No such file or directory. Give JSON on standard input: echo '…' | scenectl … -"#
        ),
        Mistake(
            line: "push --action ADD -",
            input: #"{"aps": {"alert": "x", "category": "OFFER"}}"#,
            status: 1,
            message: #"scenectl: Malformed: action: expected one of "ADD_TO_CART", "SHOW", found "ADD"."#
        ),
        Mistake(
            line: "push --text hi DIR/payload.apns",
            status: 1,
            message: "scenectl: Malformed: text: expected nothing, because no action was chosen, found string."
        ),
        Mistake(
            line: "push --voip --interaction open DIR/payload.apns",
            status: 1,
            message:
                #"scenectl: Malformed: interaction: expected nothing, because nobody interacts with a VoIP push, found "open"."#
        ),
        Mistake(
            line: #"activity com.example.shop.vew --user-info '{"destination": "cart"}'"#,
            status: 1,
            message:
                #"scenectl: The app does not handle this activity: handoff: activityType is "com.example.shop.vew", not "com.example.shop.view"; spotlight-product: activityType is "com.example.shop.vew", not "com.apple.corespotlightitem"; spotlight-category: activityType is "com.example.shop.vew", not "com.apple.corespotlightitem"; spotlight-promo: activityType is "com.example.shop.vew", not "com.apple.corespotlightitem"; spotlight-order: activityType is "com.example.shop.vew", not "com.apple.corespotlightitem"; spotlight-settings: activityType is "com.example.shop.vew", not "com.apple.corespotlightitem"; spotlight-place: activityType is "com.example.shop.vew", not "com.apple.corespotlightitem"; browsing-web: activityType is not NSUserActivityTypeBrowsingWeb."#
        ),
        Mistake(
            line: "activity com.example.shop.view --user-info destination=cart",
            status: 2,
            message:
                #"scenectl: --user-info:1:1: expected a value, found 'd'; expected a JSON object such as {"id": "p1"}."#
        ),
        Mistake(
            line: "activity com.example.shop.view --announced --failure gone",
            status: 1,
            message: #"scenectl: Malformed: failure: expected nothing, because announced is true, found "gone"."#
        ),
        Mistake(
            line: "activity -",
            input: #"{"ulr": "x"}"#,
            status: 2,
            message:
                #"scenectl: standard input: the event: expected one of the members activityType, aps, kind, payload, type, url, found "ulr"."#
        ),
        Mistake(
            line: "activity -",
            input: #"{"activityType": "x", "userinfo": {}}"#,
            status: 2,
            message: "scenectl: standard input: userinfo: expected 'userInfo', found another member."
        ),
        Mistake(
            line: "activity NSUserActivityTypeBrowsingWeb --webpage shop.example",
            status: 1,
            message: #"scenectl: Malformed: webpageURL: expected http or https URL, found "shop.example"."#
        ),
        Mistake(
            line: #"widget order-statu --user-info '{"order": "o7"}'"#,
            status: 1,
            message:
                #"scenectl: The app does not handle this widget: widget-url: url is absent; widget-order-status: kind is "order-statu", not "order-status"."#
        ),
        Mistake(
            line: "shortcut com.example.shop.crt",
            status: 1,
            message:
                #"scenectl: The app does not handle this shortcut: shortcut-cart: type is "com.example.shop.crt", not "com.example.shop.cart"; shortcut-orders: type is "com.example.shop.crt", not "com.example.shop.orders"."#
        ),
        Mistake(
            line: "spotlight",
            status: 2,
            message: "Error: Give either an item's identifier or --query."
        ),
        Mistake(
            line: "sample psh",
            status: 2,
            message:
                "scenectl: No sample 'psh'. Did you mean 'push'? The samples are url, link, push, push-route, push-reply, push-silent, push-voip, push-live, live-activity, handoff, handoff-announced, handoff-failed, spotlight, spotlight-query, widget, widget-info, shortcut."
        ),
        Mistake(
            line: "intent prodctSelected id=p1",
            status: 0,
            message: "scenectl: warning: the app declares no intent 'prodctSelected'; did you mean 'productSelected'?"
        ),
        Mistake(
            line: "intent productSelected idd=p1",
            status: 1,
            message: "scenectl: idd: productSelected has no such parameter, only id; did you mean 'id'?"
        ),
        Mistake(
            line: "intent productSelected p1",
            status: 2,
            message: "scenectl: 'p1': expected a parameter as name=value, such as p1=1."
        ),
        Mistake(
            line: "intent productSelected",
            status: 1,
            message: "scenectl: id: is missing; productSelected needs text that matches p[0-9]{1,9}."
        ),
        Mistake(
            line: "intent productSelected id=p1 id=p2",
            status: 2,
            message: "scenectl: 'id' is given twice; expected each parameter once."
        ),
        Mistake(
            line: "tap ordrs",
            status: 1,
            message:
                #"scenectl: tab: there is no tab "ordrs"; the app has home, orders, account; did you mean 'orders'?"#
        ),
        Mistake(
            line: "finish aut --completed",
            status: 1,
            message:
                #"scenectl: flow: there is no flow "aut"; the app has auth, addPayment, checkout; did you mean 'auth'?"#
        ),
        Mistake(
            line: "finish auth --completed",
            status: 1,
            message: "scenectl: user: is missing; the flow 'auth' is complete when somebody has signed in."
        ),
        Mistake(
            line: "finish auth --completed --user anna --fact colour=red",
            status: 1,
            message:
                "scenectl: Fact 'colour': not declared; the app declares: cart, locale, market, order, paymentMethod, review, unavailable."
        ),
        Mistake(
            line: "finish auth --completed --user anna --fact cart=5",
            status: 1,
            message: #"scenectl: Fact 'cart': expected a list of strings such as ["a", "b"], found an integer."#
        ),
        Mistake(
            line: "finish auth --completed --user anna --fact cart",
            status: 2,
            message: "scenectl: 'cart': expected a fact as name=value, such as cart=1."
        ),
        Mistake(
            line: "intent cartTapped --from hom",
            status: 1,
            message:
                #"scenectl: from: there is no screen or container "hom"; expected the ID of a screen of the app, or a container as the record of an intent names it, such as 'tab home'; did you mean 'home'?"#
        ),
        Mistake(
            line: "connect A",
            status: 1,
            message: "scenectl: Window 'A' is already open. Choose another ID, or none, and the daemon makes one."
        ),
        Mistake(
            line: "connect --configuration wide",
            status: 1,
            message:
                "scenectl: The app declares no scene configuration 'wide'. 'scenectl app show' prints what it declares."
        ),
        Mistake(
            line: "connect ''",
            status: 1,
            message:
                #"scenectl: scene: "" is empty; expected 1 to 128 letters, digits and signs of ASCII, without spaces."#
        ),
        Mistake(
            line: "session sign-in 'an na'",
            status: 1,
            message:
                #"scenectl: user: "an na" has a character that no name has, at byte 3; expected 1 to 128 letters, digits and signs of ASCII, without spaces."#
        ),
        Mistake(
            line: "session sign-in ''",
            status: 1,
            message:
                #"scenectl: user: "" is empty; expected 1 to 128 letters, digits and signs of ASCII, without spaces."#
        ),
        Mistake(
            line: "session sign-in anna --expires 5s",
            status: 2,
            message: "Error: --expires <milliseconds>: '5s' is not a whole number of milliseconds; '5s' is 5000"
        ),
        Mistake(
            line: #"session sign-in anna --facts '{"crt": []}'"#,
            status: 1,
            message:
                "scenectl: Fact 'crt': not declared; the app declares: cart, locale, market, order, paymentMethod, review, unavailable; did you mean 'cart'?"
        ),
        Mistake(
            line: "session set",
            status: 2,
            message: "Error: Nothing to set. Give facts as name=value, or --remove FACT."
        ),
        Mistake(
            line: "session set cart=p1",
            status: 1,
            message: #"scenectl: Fact 'cart': expected a list of strings such as ["a", "b"], found a string."#
        ),
        Mistake(
            line: "session set 'cart=\(String(repeating: "[", count: 65))\(String(repeating: "]", count: 65))'",
            status: 2,
            message: "scenectl: cart:1:65: nested deeper than 64 levels; expected JSON within these bounds."
        ),
        Mistake(
            line: "session set 'cart=[\"a\(String(repeating: "\u{301}", count: 31))\"]'",
            status: 2,
            message:
                "scenectl: cart:1:2: the string has more than 30 combining marks in a row; expected JSON within these bounds."
        ),
        Mistake(
            line: "session set --expect 99 market=de",
            status: 1,
            message: "scenectl: The session is at revision 0, not 99. Read it again before you change it."
        ),
        Mistake(
            line: "session set --expect x market=de",
            status: 2,
            message: "Error: --expect <revision>: 'x' is not a number; expected one such as 10"
        ),
        Mistake(
            line: "why cart-2",
            status: 1,
            message: "scenectl: No records of an event 'cart-2', or they are no longer retained. Did you mean 'cart-1'?"
        ),
        Mistake(
            line: "why A",
            status: 1,
            message:
                "scenectl: No records of an event 'A', or they are no longer retained. 'A' is a window; 'scenectl records --scene A' shows what happened in it."
        ),
        Mistake(
            line: "receipt cart-2",
            status: 1,
            message:
                "scenectl: You sent no event 'cart-2', or it ended so long ago that the daemon has dropped it. 'scenectl records' shows the IDs of events."
        ),
        Mistake(
            line: "watch --kind gate.praked",
            status: 1,
            message:
                "scenectl: Unknown record kind 'gate.praked'. Did you mean 'gate.parked'? record.schema.json lists the kinds."
        ),
        Mistake(
            line: "advance 5",
            socket: "bank.sock",
            status: 1,
            message:
                "scenectl: The daemon runs on the real clock, which nobody can advance. Only one started with 'scened --clock virtual' can be advanced."
        ),
        Mistake(
            line: "status",
            socket: "none.sock",
            status: 3,
            message:
                "scenectl: No daemon at DIR/none.sock: No such file or directory. Start a daemon with 'scened', or give its socket with --socket or SCENED_SOCKET."
        ),
        Mistake(
            line: "status --socket unix:/tmp/x",
            status: 3,
            message: "scenectl: 'unix:/tmp/x' is an address; give only the path, '/tmp/x'."
        ),
        Mistake(
            line: "status --socket http://localhost:8080",
            status: 3,
            message:
                "scenectl: 'http://localhost:8080' is not the path of a socket: scened has no http address. Start a daemon with 'scened', or give its socket with --socket or SCENED_SOCKET."
        ),
        Mistake(
            line: "app validate DIR/empty.yaml",
            status: 1,
            message: "DIR/empty.yaml:1:1: error: the file is empty; expected a mapping with 'name'"
        ),
        Mistake(
            line: "app validate DIR/tabs.yaml",
            status: 1,
            message: "DIR/tabs.yaml:4:1: error: the line is indented with a tab; expected spaces"
        ),
        Mistake(
            line: "app validate DIR/badindent.yaml",
            status: 1,
            message:
                "DIR/badindent.yaml:3:6: error: a ':' is not expected here; expected a key as far right as those beside it, or quotes around a text that contains ': '"
        ),
        Mistake(
            line: "app validate DIR/dupkeys.yaml",
            status: 1,
            message: "DIR/dupkeys.yaml:2:1: error: the key 'id' appears twice; expected each key once"
        ),
        Mistake(
            line: "app validate DIR/list.yaml",
            status: 1,
            message: "DIR/list.yaml:1:1: error: the file is a list; expected a mapping with 'name', 'destinations' …"
        ),
        Mistake(
            line: "app validate DIR/text.yaml",
            status: 1,
            message: "DIR/text.yaml:1:1: error: the file is text; expected a mapping with 'name', 'destinations' …"
        ),
        Mistake(
            line: "app validate DIR/quote.yaml",
            status: 1,
            message: "DIR/quote.yaml:3:1: error: the file ends within a quoted text; expected the quote that closes it"
        ),
        Mistake(
            line: "app validate DIR/latin1.json",
            status: 2,
            message: "scenectl: DIR/latin1.json: not UTF-8."
        ),
        Mistake(
            line: "app validate bnak",
            status: 2,
            message:
                "scenectl: bnak: No such file or directory. There is no example 'bnak'. Did you mean 'bank'? The examples are shop, bank, club."
        ),
        Mistake(
            line: "app print bnak",
            status: 2,
            message: "scenectl: There is no example 'bnak'. Did you mean 'bank'? The examples are shop, bank, club."
        ),
        Mistake(
            line: "association lint DIR/empty.json",
            status: 1,
            message: "DIR/empty.json:1:1: error: expected a value, found the end [not-json]"
        ),
        Mistake(
            line: "association lint DIR/array.json",
            status: 1,
            message: "DIR/array.json:1:1: error: the file is array, not an object [not-json]"
        ),
        Mistake(
            line: "race",
            status: 2,
            message: "Error: Name a scenario; 'scenectl race --list' lists the built-in scenarios."
        ),
        Mistake(
            line: "race --all --ends",
            status: 2,
            message: "Error: --ends is for one scenario, not for --all."
        ),
        Mistake(
            line: "race wrong-window --ends --replay 1-1-fifo",
            status: 2,
            message: "Error: --ends counts the ends of a search, and --replay runs one order; give one of them."
        ),
        Mistake(
            line: "race sign-out-agianst-push",
            status: 2,
            message:
                "scenectl: No scenario 'sign-out-agianst-push'. Did you mean 'sign-out-against-push'? 'scenectl race --list' lists the built-in scenarios."
        ),
        Mistake(
            line: "race DIR/scenario-typo.yaml",
            status: 2,
            message: """
                scenectl: DIR/scenario-typo.yaml:1:1: error: nmae: 'nmae' is not allowed here; expected one of name, description, app, policy, settings, windows, session, setup, actors, expect; did you mean 'name'?
                DIR/scenario-typo.yaml:1:1: error: description: 'description' is missing; expected a member 'description'
                DIR/scenario-typo.yaml:1:1: error: windows: 'windows' is missing; expected a member 'windows'
                DIR/scenario-typo.yaml:1:1: error: actors: 'actors' is missing; expected a member 'actors'
                """
        ),
        Mistake(
            line: "race DIR/scenario-moved.yaml",
            status: 2,
            message:
                "scenectl: DIR/scenario-moved.yaml:3:6: error: app: the file 'moved/m.yaml' cannot be read: DIR/moved/m.yaml: No such file or directory; expected shop, bank, club, or the path of a manifest"
        ),
        Mistake(
            line: "race DIR/scenario-tabs.yaml --report DIR/scenario-tabs.yaml.html --save DIR/scenario-tabs.yaml",
            status: 2,
            message:
                "scenectl: --save DIR/scenario-tabs.yaml: would replace DIR/scenario-tabs.yaml, which is read; expected another file."
        ),
        Mistake(
            line: "race DIR/scenario-tabs.yaml",
            status: 2,
            message: "scenectl: DIR/scenario-tabs.yaml:3:1: error: the line is indented with a tab; expected spaces"
        ),
        Mistake(
            line: "race DIR/scenario-empty.yaml",
            status: 2,
            message: "scenectl: DIR/scenario-empty.yaml:1:1: error: the file is empty; expected a mapping with 'name'"
        ),
        Mistake(
            line: "race sign-out-against-push --prove --iterations 9",
            status: 2,
            message: "Error: --prove runs each class of orders; give it no --iterations and no --strategy."
        ),
        Mistake(
            line: "race sign-out-against-push --prove --replay 1:0",
            status: 2,
            message: "Error: --prove runs all orders, and --replay runs one; give one of them."
        ),
        Mistake(
            line: "race sign-out-against-push --prove --granularity stops",
            status: 2,
            message:
                "Error: --prove --granularity stops would prove nothing, because it does not see locks; give jobs or locks."
        ),
        Mistake(
            line: "race sign-out-against-push --iterations 0",
            status: 2,
            message: "Error: --iterations 0: expected 1 or more."
        ),
        Mistake(
            line: "race sign-out-against-push --strategy radnom",
            status: 2,
            message:
                "scenectl: --strategy: no strategy is named 'radnom': give one of fifo, random, pct-N, pos, urw, portfolio, exhaustive, exhaustive-N, exhaustive-actors, exhaustive-reported, exhaustive-all, with N from 1 to 20 for pct and from 0 to 1000 for exhaustive"
        ),
        Mistake(
            line: "play DIR/script-seed.jsonl --export simclt",
            status: 2,
            message: "Error: --export: 'simclt' is not one of simctl, pytest, swift, scenario; did you mean 'simctl'?"
        ),
        Mistake(
            line: "play DIR/script-seed.jsonl --export simctl --reset",
            status: 2,
            message: "Error: --reset: no daemon plays what is written with --export; leave one out."
        ),
        Mistake(
            line: "play DIR/script-seed.jsonl --bundle com.example.shop",
            status: 2,
            message: "Error: --bundle: expected together with --export simctl."
        ),
        Mistake(
            line: "play DIR/script-seed.jsonl --export pytest --bundle com.example.shop",
            status: 2,
            message: "Error: --bundle: expected together with --export simctl."
        ),
        Mistake(
            line: "play DIR/script-seed.jsonl --export pyetst",
            status: 2,
            message:
                "Error: --export: 'pyetst' is not one of simctl, pytest, swift, scenario; did you mean 'pytest'?"
        ),
        Mistake(
            line: "play DIR/script-seed.jsonl --app shop",
            status: 2,
            message: "Error: --app: expected together with --export pytest, swift or scenario."
        ),
        Mistake(
            line: "play DIR/script-seed.jsonl --export simctl --app shop",
            status: 2,
            message: "Error: --app: expected together with --export pytest, swift or scenario."
        ),
        Mistake(
            line: "play DIR/script-seed.jsonl --export swift --app ''",
            status: 2,
            message: "Error: --app: expected a manifest's file or one of shop, bank, club, found nothing."
        ),
        Mistake(
            line: "play DIR/script-seed.jsonl --export swift --speed 2",
            status: 2,
            message:
                "Error: --speed: no time passes by itself in what is written with --export swift; leave it out, or give --restful."
        ),
        Mistake(
            line: "play DIR/script-seed.jsonl --export pytest --reset",
            status: 2,
            message: "Error: --reset: no daemon plays what is written with --export; leave one out."
        ),
        Mistake(
            line: "play DIR/script-method.jsonl --export pytest",
            status: 2,
            message:
                "scenectl: DIR/script-method.jsonl, step 2: call: 'Conect' is no method of Scenes. Did you mean 'Scenes.Connect'?"
        ),
        Mistake(
            line: "play DIR/script-interface.jsonl --export scenario",
            status: 2,
            message:
                "scenectl: DIR/script-interface.jsonl, step 1: call: 'Scene' is no interface of the daemon. Did you mean 'Scenes.Connect'?"
        ),
        Mistake(
            line: "play DIR/script-seed.jsonl --export simctl --bundle com/example",
            status: 2,
            message:
                "Error: --bundle 'com/example': expected a bundle identifier such as com.example.shop: letters, digits, '-' and '.'."
        ),
        Mistake(
            line: "play DIR/script-method.jsonl --export simctl",
            status: 2,
            message:
                "scenectl: DIR/script-method.jsonl, step 2: call: 'Conect' is no method of Scenes. Did you mean 'Scenes.Connect'?"
        ),
        Mistake(
            line: "play DIR/script-interface.jsonl --export simctl",
            status: 2,
            message:
                "scenectl: DIR/script-interface.jsonl, step 1: call: 'Scene' is no interface of the daemon. Did you mean 'Scenes.Connect'?"
        ),
        Mistake(
            line: "play DIR/script-bad.jsonl",
            status: 2,
            message:
                "scenectl: DIR/script-bad.jsonl:1:66: expected ',' or '}', found the end; expected one call a line."
        ),
        Mistake(
            line: "play DIR/script-typo.jsonl",
            status: 2,
            message:
                "scenectl: DIR/script-typo.jsonl, step 1: cal: expected one of at, call, parameters, quiet, settled, expect, start, seed, manifest; did you mean 'call'?"
        ),
        Mistake(
            line: "play DIR/script-outcome.jsonl",
            status: 2,
            message:
                "scenectl: DIR/script-outcome.jsonl, step 1: expect: 'aplied' is no outcome. Did you mean 'applied'?"
        ),
        Mistake(
            line: "play DIR/script-method.jsonl",
            status: 2,
            message:
                "scenectl: DIR/script-method.jsonl, step 2: call: 'Conect' is no method of Scenes. Did you mean 'Scenes.Connect'?"
        ),
        Mistake(
            line: "play DIR/script-interface.jsonl",
            status: 2,
            message:
                "scenectl: DIR/script-interface.jsonl, step 1: call: 'Scene' is no interface of the daemon. Did you mean 'Scenes.Connect'?"
        ),
        Mistake(
            line: "play DIR/script-window.jsonl",
            status: 2,
            message:
                "scenectl: DIR/script-window.jsonl, step 2: parameters.scene: no step opens a window 'Mian', and the daemon has none of that name. Did you mean 'Main'?"
        ),
        Mistake(
            line: "play DIR/script-key.jsonl",
            status: 2,
            message:
                "scenectl: DIR/script-key.jsonl, step 1: expect.scene.widnow: expected one of id, configuration, activation, connected, locked, admitted, settled, window, owner, coordinators, coordinatorTree, coordinatorsAttached, coordinatorsDetached, leaks, parked, parkedCount, revision; did you mean 'window'?"
        ),
        Mistake(
            line: "play DIR/script-state.jsonl",
            status: 2,
            message:
                #"scenectl: DIR/script-state.jsonl, step 1: expect.scene.activation: expected one of unattached, foregroundActive, foregroundInactive, background, found "backgroud". Did you mean 'background'?"#
        ),
        Mistake(
            line: "play DIR/script-type.jsonl",
            status: 2,
            message:
                "scenectl: DIR/script-type.jsonl, step 1: expect.session.revision: expected an integer, found string."
        ),
        Mistake(
            line: "play DIR/script-screen.jsonl",
            status: 2,
            message:
                "scenectl: DIR/script-screen.jsonl, step 1: expect.scene.window: there is no screen 'crat'; did you mean 'cart'?"
        ),
        Mistake(
            line: "play DIR/script-parameter.jsonl",
            status: 2,
            message:
                "scenectl: DIR/script-parameter.jsonl, step 1: expect.resolution.target: 'product' has no parameter 'ID'; did you mean 'id'?"
        ),
        Mistake(
            line: "play DIR/script-unread.jsonl",
            status: 2,
            message:
                #"scenectl: DIR/script-unread.jsonl, step 1: expect.scene.window: "home › auth[login" cannot be read, at character 18: found the end; expected '›' and a screen, or ']' after the screens of a presentation."#
        ),
        Mistake(
            line: "play DIR/script-fact.jsonl",
            status: 2,
            message:
                "scenectl: DIR/script-fact.jsonl, step 1: expect.session.facts: there is no fact 'crat'; did you mean 'cart'?"
        ),
        Mistake(
            line: "play DIR/script-no-fact.jsonl",
            status: 2,
            message:
                "scenectl: DIR/script-no-fact.jsonl, step 1: expect.session.facts: there is no fact 'crat'; did you mean 'cart'?"
        ),
        Mistake(
            line: "play DIR/script-error.jsonl",
            status: 2,
            message:
                "scenectl: DIR/script-error.jsonl, step 1: expect.error: 'UnknownRute' is no error of the daemon. Did you mean 'UnknownRoute'?"
        ),
        Mistake(
            line: "play DIR/script-reason.jsonl",
            status: 2,
            message:
                "scenectl: DIR/script-reason.jsonl, step 1: expect.parameters.ulr: expected one of suggestion, url; did you mean 'url'?"
        ),
        Mistake(
            line: "play DIR/script-at.jsonl",
            status: 2,
            message:
                "scenectl: DIR/script-at.jsonl, step 1: at: expected milliseconds from 0 to 1000000000000, found -1."
        ),
        Mistake(
            line: "play DIR/script-why.jsonl",
            status: 2,
            message:
                "scenectl: DIR/script-why.jsonl, step 1: expect: there is no reason 'inStok'; did you mean 'inStock'?"
        ),
        Mistake(
            line: "play DIR/script-gate.jsonl",
            status: 2,
            message:
                "scenectl: DIR/script-gate.jsonl, step 1: expect: there is no precondition 'signdIn'; did you mean 'signedIn'?"
        ),
        Mistake(
            line: "play DIR/script-applied.jsonl",
            status: 2,
            message:
                "scenectl: DIR/script-applied.jsonl, step 1: expect: 'applied' has no reason; expected 'applied' alone."
        ),
        Mistake(
            line: "hold planned --must-catch",
            status: 2,
            message: "Error: --must-catch: expected together with a command after --, at whose end it is judged."
        ),
        Mistake(
            line: "play DIR/script-seed.jsonl",
            status: 2,
            message:
                "scenectl: DIR/script-seed.jsonl, step 2: seed: expected in the first step only; the daemon begins with it."
        ),
        Mistake(
            line: "play --seed 7 DIR/script-empty.jsonl",
            status: 2,
            message: "Error: --seed: expected together with --reset: a daemon gets its seed when it starts over."
        ),
        Mistake(
            line: "play DIR/script-empty.jsonl",
            status: 2,
            message:
                #"scenectl: DIR/script-empty.jsonl: no steps; expected calls such as {"call": "Events.OpenURL", "parameters": {…}}."#
        ),
        Mistake(
            line: "play DIR/script-shell.sh",
            status: 2,
            message:
                "scenectl: DIR/script-shell.sh:1:1: expected steps, one JSON object a line or a list of them in YAML, found string."
        ),
        Mistake(
            line: "check DIR/history.jsonl",
            status: 2,
            message:
                "scenectl: DIR/history.jsonl:1: host: expected string, found nothing; expected one record a line, as 'scenectl records --json' prints them."
        ),
        Mistake(
            line: "check DIR/empty.json",
            status: 2,
            message:
                "scenectl: DIR/empty.json: no records; expected one record a line, as 'scenectl records --json' prints them."
        ),
        Mistake(
            line: "check DIR/array.json",
            status: 2,
            message:
                "scenectl: DIR/array.json:1: expected object, found array; expected one record a line, as 'scenectl records --json' prints them."
        ),
        Mistake(
            line: "inspect DIR/empty.json --out DIR/page.html",
            status: 2,
            message:
                "scenectl: DIR/empty.json: no records; expected one record a line, as 'scenectl records --json' prints them."
        ),
        Mistake(
            line: "inspect DIR/array.json --out DIR/page.html",
            status: 2,
            message:
                "scenectl: DIR/array.json:1: expected object, found array; expected one record a line, as 'scenectl records --json' prints them."
        ),
        Mistake(
            line: "inspect DIR/nosuch.jsonl --out DIR/page.html",
            status: 2,
            message: "scenectl: DIR/nosuch.jsonl: No such file or directory."
        ),
        Mistake(
            line: "inspect DIR/history.jsonl --out DIR/history.jsonl",
            status: 2,
            message:
                "scenectl: --out DIR/history.jsonl: would replace DIR/history.jsonl, which is read; expected another file."
        ),
        Mistake(
            line: "inspect a b c --out DIR/page.html",
            status: 2,
            message: "Error: 3 files: expected one, or two to be shown beside each other."
        ),
        Mistake(
            line: "inspect DIR/history.jsonl --port 0",
            status: 2,
            message: "Error: --port 0: expected 1 to 65535."
        ),
        Mistake(
            line: "inspect --out DIR/page.html --port 8080",
            status: 2,
            message: "Error: --port: with --out nothing is served; leave one out."
        ),
        Mistake(
            line: "inspect DIR/nosuch.jsonl",
            status: 2,
            message: "scenectl: DIR/nosuch.jsonl: No such file or directory."
        ),
        Mistake(
            line: "inspect DIR/empty.json",
            status: 2,
            message:
                "scenectl: DIR/empty.json: no records; expected one record a line, as 'scenectl records --json' prints them."
        ),
        Mistake(
            line: "inspect a --journal scened --out DIR/page.html",
            status: 2,
            message: "Error: Give files or --journal UNIT, but not both."
        ),
        Mistake(
            line: "adapter try --event DIR/events.json",
            status: 2,
            message:
                #"scenectl: DIR/events.json: the event: expected one of the members activityType, aps, kind, payload, type, url, found "ulr"."#
        ),
        Mistake(
            line: "adapter test DIR/fix",
            status: 1,
            message: """
                ✗ a.json
                    DIR/fix/a.json: evnt: expected one of event, kind, adapter, expect; did you mean 'event'?
                1 of 1 not as expected
                """
        ),
        Mistake(
            line: "adapter test DIR/fix2",
            status: 2,
            message: "scenectl: DIR/fix2: no fixtures; expected files ending in .json, .yaml or .yml."
        ),
        Mistake(
            line: "adapter test DIR/missing",
            status: 2,
            message: "scenectl: DIR/missing: No such file or directory; expected a folder."
        ),
        Mistake(
            line: "soak run --duration 1.5h",
            status: 2,
            message: "scenectl: --duration 1.5h: expected a time such as 500ms, 30s, 5m or 2h, at least 1ms."
        ),
        Mistake(
            line: "soak run --duration '5 s'",
            status: 2,
            message: "scenectl: --duration 5 s: expected a time such as 500ms, 30s, 5m or 2h, at least 1ms."
        ),
        Mistake(
            line: "soak run --duration 5x",
            status: 2,
            message: "scenectl: --duration 5x: expected a time such as 500ms, 30s, 5m or 2h, at least 1ms."
        ),
        Mistake(
            line: "soak run --rate 0",
            status: 2,
            message: "scenectl: --rate 0.0: expected 0.001 to 1000000 events per second."
        ),
        Mistake(
            line: "soak run --slo p99",
            status: 2,
            message: "scenectl: --slo: 'p99', column 4: expected one of < <= = >= >"
        ),
        Mistake(
            line: "soak run --slo p99<20",
            status: 2,
            message: "scenectl: --slo: 'p99<20', column 7: the unit is missing; expected 20us or 20ms or 20s"
        ),
        Mistake(
            line: "soak run --slo p9x<20ms",
            status: 2,
            message:
                "scenectl: --slo: 'p9x<20ms', column 1: 'p9x' is not a percentile; expected a number above 0 and up to 100, as in p99.9"
        ),
        Mistake(
            line: "soak run --faults kil@1m",
            status: 2,
            message:
                "scenectl: --faults kil@1m: unknown fault 'kil'; expected one of client, stall, slow, reload, kill, at character 1."
        ),
        Mistake(
            line: "soak run --faults kill",
            status: 2,
            message:
                "scenectl: --faults kill: 'kill' has no '@'; expected fault@time, such as kill@10m or stall@5m+30s, at character 1."
        ),
        Mistake(
            line: "soak run --duration 8s --faults kill@30s",
            status: 2,
            message:
                "scenectl: --faults kill@30s: the load ends at 13s, warm-up included, so 'kill@30s' would never come; expected an earlier time or a longer --duration, at character 6."
        ),
        Mistake(
            line: "soak run --slo lost<0",
            status: 2,
            message: "scenectl: --slo: 'lost<0', column 1: nothing could meet this, because it is 0 or more"
        ),
        Mistake(
            line: "soak run --replace",
            status: 2,
            message: "scenectl: --replace removes an earlier soak from the folder of --out; give both."
        ),
        Mistake(
            line: "soak report DIR/missing",
            status: 2,
            message:
                "scenectl: DIR/missing: no such file or directory; give the folder that was written with --out, or a soak.json."
        ),
        Mistake(
            line: "soak run --clients 0",
            status: 2,
            message: "scenectl: --clients 0: expected 1 to 4096."
        ),
        Mistake(
            line: "scened --mailbox 0",
            status: 78,
            message: "scened: --mailbox: mailbox: 0 is too small; expected 1 to 1000000"
        ),
        Mistake(
            line: "scened --mailbox x",
            status: 78,
            message: "scened: --mailbox: mailbox: 'x' is not a number; expected 1 to 1000000"
        ),
        Mistake(
            line: "scened --transition 350ms",
            status: 78,
            message: "scened: --transition: transition: '350ms' is not a number; expected 0 to 60000 milliseconds"
        ),
        Mistake(
            line: "scened --clock virtul",
            status: 78,
            message: "scened: --clock: clock: 'virtul' is unknown; expected real or virtual; did you mean 'virtual'?"
        ),
        Mistake(
            line: "scened --log-level warn",
            status: 78,
            message:
                "scened: --log-level: logLevel: 'warn' is unknown; expected trace, debug, info, notice, warning, error or critical"
        ),
        Mistake(
            line: "scened --app DIR/missing.yaml",
            status: 78,
            message: #""DIR/missing.yaml: No such file or directory""#
        ),
        Mistake(
            line: "scened --set mailbx=5",
            status: 78,
            message: "scened: --set: there is no setting 'mailbx'; did you mean 'mailbox'?"
        ),
        Mistake(
            line: "scened --set mailbox",
            status: 64,
            message: "Error: --set mailbox: expected key=value."
        ),
        Mistake(
            line: "scened --set roles.observe=root",
            status: 78,
            message:
                "scened: --set: roles.observe: 'root' is neither user:NAME nor group:NAME; expected a list of user:NAME and group:NAME"
        ),
        Mistake(
            line: "scened --set roles.observe=user:nosuchuser",
            status: 78,
            message: "scened: --set: roles.observe: this system has no user:nosuchuser"
        ),
        Mistake(
            line: "scened --app-version v2",
            status: 78,
            message:
                "scened: --app-version: appVersion: 'v2' is not a version; expected numbers separated by dots, such as 2.3.1"
        ),
        Mistake(
            line: "scened --durability fast",
            status: 78,
            message: "scened: --durability: durability: 'fast' is unknown; expected group, strict or relaxed"
        ),
        Mistake(
            line: "scened --state DIR/state --investigate DIR/copy",
            status: 78,
            message:
                "scened: --investigate: investigate: what happens in an investigation is not kept; expected no state"
        ),
        Mistake(
            line: "scened --investigate DIR/copy --clock real",
            status: 78,
            message:
                "scened: --clock: clock: an investigation stands at the newest record until its clock is advanced; expected clock: virtual, or none"
        ),
        Mistake(
            line: "scened --investigate DIR/copy --start 2026-01-01T00:00:00Z",
            status: 78,
            message:
                "scened: --start: start: an investigation begins at the time of the newest record; expected no start"
        ),
        Mistake(
            line: "scened --state DIR/state --clock virtual",
            status: 78,
            message:
                "scened: --clock: clock: the time of a state that is kept goes on while there is no daemon; expected clock: real, or no state"
        ),
        Mistake(
            line: "scened --config DIR/missing.yaml",
            status: 78,
            message: "scened: DIR/missing.yaml: No such file or directory"
        ),
        Mistake(
            line: "scened --config DIR/scened-unit.yaml --check-config",
            status: 78,
            message:
                "scened: DIR/scened-unit.yaml:1:1: transition: the value has the wrong type; expected 0 to 60000 milliseconds"
        ),
        Mistake(
            line: "scened --config DIR/scened-tabs.yaml --check-config",
            status: 78,
            message: "scened: DIR/scened-tabs.yaml:2:1: the line is indented with a tab; expected spaces"
        ),
        Mistake(
            line: "scened --config DIR/scened-dup.yaml --check-config",
            status: 78,
            message: "scened: DIR/scened-dup.yaml:2:1: the key 'mailbox' appears twice; expected each key once"
        ),
        Mistake(
            line: "scened --config DIR/scened-list.yaml --check-config",
            status: 78,
            message: "scened: DIR/scened-list.yaml:1:1: found a list, expected settings"
        ),
        Mistake(
            line: "scened --config DIR/scened-neg.yaml --check-config",
            status: 78,
            message: "scened: DIR/scened-neg.yaml:1:1: mailbox: -1 is too small; expected 1 to 1000000"
        ),
        Mistake(
            line: "scened --config DIR/scened-role2.yaml --check-config",
            status: 78,
            message:
                "scened: DIR/scened-role2.yaml:2:3: roles.observe: the value has the wrong type; expected a list of user:NAME and group:NAME"
        ),
        Mistake(
            line: "scened --config DIR/folder --check-config",
            status: 78,
            message: "scened: DIR/folder: Is a directory"
        ),
        Mistake(
            line: "app validate DIR/m-key.yaml",
            status: 1,
            message:
                "DIR/m-key.yaml:6:1: error: destinatons: 'destinatons' is not allowed here; expected one of format, version, name, appIDs, schemes, associatedDomains, markets, locales, facts, preconditions, conditions, tabs, roots, lock, destinations, routes, flows, intents, configurations, adapters, notificationCategories, policies, fallback; did you mean 'destinations'?"
        ),
        Mistake(
            line: "app validate DIR/m-name.yaml",
            status: 1,
            message:
                "DIR/m-name.yaml:1:1: error: nmae: 'nmae' is not allowed here; expected one of format, version, name, appIDs, schemes, associatedDomains, markets, locales, facts, preconditions, conditions, tabs, roots, lock, destinations, routes, flows, intents, configurations, adapters, notificationCategories, policies, fallback; did you mean 'name'?"
        ),
        Mistake(
            line: "app validate DIR/m-tab.yaml",
            status: 1,
            message: """
                DIR/m-tab.yaml:3:9: error: tabs.home: 'home' is not declared as the root of this tab; expected 'tab: home' in home
                DIR/m-tab.yaml:7:11: error: destinations.home.tab: there is no tab 'hmoe'; expected one of home; did you mean 'home'?
                """
        ),
        Mistake(
            line: "app validate DIR/m-flow.yaml",
            status: 1,
            message:
                "DIR/m-flow.yaml:5:32: error: preconditions.signedIn.flow: there is no flow 'atuh'; expected one of auth; did you mean 'auth'?"
        ),
        Mistake(
            line: "app validate DIR/m-need.yaml",
            status: 1,
            message:
                "DIR/m-need.yaml:10:21: error: destinations.item.preconditions[0]: there is no precondition 'singedIn'; expected one of signedIn; did you mean 'signedIn'?"
        ),
        Mistake(
            line: "app validate DIR/m-ancestry.yaml",
            status: 1,
            message: """
                DIR/m-ancestry.yaml:9:5: error: destinations.item.ancestry: 'item' is not the root of a tab; expected an ancestry that begins with the root of a tab, such as 'home'
                DIR/m-ancestry.yaml:9:16: error: destinations.item.ancestry[0]: there is no destination 'hme'; expected one of home, item; did you mean 'home'?
                """
        ),
        Mistake(
            line: "app validate DIR/m-type.yaml",
            status: 1,
            message:
                "DIR/m-type.yaml:11:23: error: destinations.item.parameters.id: 'strng' is not a type; expected one of string, integer, uuid, date, or 'pattern' or 'oneOf'; did you mean 'string'?"
        ),
        Mistake(
            line: "app validate DIR/m-capture.yaml",
            status: 1,
            message: """
                DIR/m-capture.yaml:12:14: error: destinations.item.routes[0].pattern: there is no parameter of item 'ids'; expected one of id; did you mean 'id'?
                DIR/m-capture.yaml:12:14: error: destinations.item.routes[0].pattern: 'demo://item/{ids}' gives no value for 'id', which item needs; expected {id} in the pattern, or a value under 'parameters'
                """
        ),
        Mistake(
            line: "app validate DIR/m-inner.yaml",
            status: 1,
            message:
                "DIR/m-inner.yaml:9:5: error: destinations.item.ancestr: 'ancestr' is not allowed here; expected one of tab, ancestry, presentation, flow, repeats, parameters, preconditions, conditions, variants, routes; did you mean 'ancestry'?"
        ),
        Mistake(
            line: "app validate DIR/m-scheme.yaml",
            status: 1,
            message:
                "DIR/m-scheme.yaml:7:31: error: destinations.home.routes[0].pattern: there is no scheme 'dmo'; expected one of demo; did you mean 'demo'?"
        ),
        Mistake(
            line: "app validate DIR/m-bool.yaml",
            status: 1,
            message: "DIR/m-bool.yaml:14:32: error: flows.auth.completionNeedsUser: is text; expected true or false"
        ),
        Mistake(
            line: "app validate DIR/m-list.yaml",
            status: 1,
            message: """
                DIR/m-list.yaml:14:38: error: flows.auth.screens: the flow has no screen; expected at least the one it starts with
                DIR/m-list.yaml:14:47: error: flows.auth.screens: is text; expected a list
                """
        ),
        Mistake(
            line: "app validate DIR/m-indent.yaml",
            status: 1,
            message:
                "DIR/m-indent.yaml:10:5: error: the line is not indented like those beside it; expected as many spaces as the line above, or two more"
        ),
        Mistake(
            line: "app validate DIR/m-bracket.yaml",
            status: 1,
            message:
                "DIR/m-bracket.yaml:14:54: error: a list or mapping in brackets is not closed; expected ',' or the closing bracket"
        ),
        Mistake(
            line: "app validate DIR/m-brace.yaml",
            status: 1,
            message: """
                DIR/m-brace.yaml:2:10: error: schemes: is a mapping; expected a list
                DIR/m-brace.yaml:7:31: error: destinations.home.routes[0].pattern: there is no scheme 'demo'
                DIR/m-brace.yaml:12:14: error: destinations.item.routes[0].pattern: there is no scheme 'demo'
                """
        ),
        Mistake(
            line: "app validate DIR/m-holds.yaml",
            status: 1,
            message:
                "DIR/m-holds.yaml:5:15: error: preconditions.signedIn.hold: 'hold' is not allowed here; expected one of holds, flow; did you mean 'holds'?"
        ),
        Mistake(
            line: "app validate DIR/m-empty.yaml",
            status: 1,
            message: """
                DIR/m-empty.yaml:7:31: error: destinations.home.routes[0].pattern: there is no scheme 'demo'
                DIR/m-empty.yaml:12:14: error: destinations.item.routes[0].pattern: there is no scheme 'demo'
                """
        ),
        Mistake(
            line: "race DIR/s-scene.yaml",
            status: 2,
            message: """
                scenectl: DIR/s-scene.yaml:6:45: error: actors.one[0].scene: there is no window 'B'; expected one of A; did you mean 'A'?
                """
        ),
        Mistake(
            line: "race DIR/s-key.yaml",
            status: 2,
            message: """
                scenectl: DIR/s-key.yaml:3:1: error: windwos: 'windwos' is not allowed here; expected one of name, description, app, policy, settings, windows, session, setup, actors, expect; did you mean 'windows'?
                DIR/s-key.yaml:6:45: error: actors.one[0].scene: there is no window 'A'
                """
        ),
        Mistake(
            line: "race DIR/s-app.yaml",
            status: 2,
            message:
                "scenectl: DIR/s-app.yaml:3:6: error: app: the file 'bnak' cannot be read: DIR/bnak: No such file or directory; expected shop, bank, club, or the path of a manifest; did you mean 'bank'?"
        ),
        Mistake(
            line: "status --socket /nonexistent/dir/sock",
            status: 3,
            message:
                "scenectl: No daemon at /nonexistent/dir/sock: there is no folder /nonexistent/dir. Start a daemon with 'scened', or give its socket with --socket or SCENED_SOCKET."
        ),
        Mistake(
            line: "status --socket /etc/passwd",
            status: 3,
            message:
                "scenectl: /etc/passwd is a file, not a socket. Start a daemon with 'scened', or give its socket with --socket or SCENED_SOCKET."
        ),
        Mistake(
            line: "status --socket /tmp",
            status: 3,
            message: "scenectl: /tmp is a folder, not a socket; scened's socket in it may be /tmp/io.scened."
        ),
        Mistake(
            line: "status --socket DIR/stale.sock",
            status: 3,
            message:
                "scenectl: Nobody listens at DIR/stale.sock: the daemon that made this socket has ended (Connection refused). Start it again with 'scened --socket DIR/stale.sock', or give another socket with --socket or SCENED_SOCKET."
        ),
    ]
}
