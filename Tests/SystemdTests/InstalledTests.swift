import Foundation
import Glibc
import TestFixtures
import Testing

/// The package as a user installs it, under a booted systemd, without Swift.
@Suite(
    "Installed from the package",
    .disabled(if: Container.obstacle != nil, "\(Container.obstacle ?? "")"),
    .disabled(if: Container.Daemon.builtPackage == nil, "TEST_DEB names no package; 'make deb' builds one"),
    .serialized,
    .timeLimit(.minutes(15))
)
struct InstalledTests {
    private func run(_ script: String, given folder: String? = nil) throws -> [String] {
        let package = try #require(Container.Daemon.builtPackage)
        let prelude = """
            # This machine may forbid packages to start services.
            rm -f /usr/sbin/policy-rc.d
            dpkg --install /scened.deb > /out/dpkg 2>&1 || { cat /out/dpkg; exit 1; }
            # What a test wants to be otherwise for the service.
            configure() {
                mkdir -p /etc/systemd/system/scened.service.d
                printf '[Service]\\n%s\\n' "$@" > /etc/systemd/system/scened.service.d/test.conf
                systemctl daemon-reload
            }
            # The messages of the catalogue, newest last, with these fields.
            journal() { journalctl --sync; journalctl -q -u scened.service MESSAGE_ID=$1 -o json --output-fields=$2 | grep -o "\\"$2\\":\\"[^\\"]*\\""; }

            """
        return try Container.run(prelude + script, daemon: .package(package), given: folder)
    }

    @Test(
        "it installs without Swift; the first client starts the daemon, as a dynamic user; all of it goes when the package is removed"
    )
    func installs() throws {
        let lines = try run(
            """
            command -v swift || echo "no swift"
            ldd /usr/bin/scened /usr/bin/scenectl | grep 'not found\\|swift' | grep -vc '/lib/scened/' || true
            scenectl race two-users --granularity locks --iterations 20 --seed 4 | tail -n 1
            echo "socket: $(systemctl is-enabled scened.socket) $(systemctl is-active scened.socket)"
            echo "before: $(systemctl is-active scened.service)"
            scenectl openurl --json https://shop.example/product/p1004 | grep -o '"outcome": *"[a-z]*"'
            # A client may be answered before systemd has read that the daemon is ready.
            await systemctl -q is-active scened.service
            echo "after: $(systemctl is-active scened.service)"
            echo "user: $(stat -c %u /proc/$(systemctl show -P MainPID scened.service))"
            shown() { systemctl show -p StatusText scened.service | grep -x 'StatusText=Shop (manifest 1): 1 scene, 0 clients'; }
            await shown
            shown
            systemd-analyze security scened.service | grep -o 'level for.*'
            journal 4fd58a00f99c4f2fa2277752eb6406cb SCENED_APP
            journalctl -x -u scened.service MESSAGE_ID=4fd58a00f99c4f2fa2277752eb6406cb | grep -o 'Subject: .*'
            for page in man8/scened.8 man1/scenectl.1 man5/scened.yaml.5; do zcat /usr/share/man/$page.gz | head -n 1; done
            bash -c 'source /usr/share/bash-completion/completions/scenectl && complete -p scenectl'
            scened --check-config | grep -c default
            ls /usr/share/doc/scened/examples
            for page in index.html data/documentation/sceneruntime/scenehost.json documentation/sceneruntime/scenehost/index.html; do
                test -s /usr/share/doc/scened/html/$page && echo "html/$page"
            done
            dpkg --verify scened && echo "verified"
            dpkg --remove scened > /out/removed 2>&1 || cat /out/removed
            test ! -e /run/scened/io.scened && test ! -e /usr/bin/scened && echo "removed"
            test -e /etc/scened/scened.yaml && echo "configuration stays"
            dpkg --purge scened > /out/purged 2>&1 || cat /out/purged
            test ! -e /etc/scened/scened.yaml && echo "purged"
            """
        )
        let all = lines.joined(separator: "\n")
        for line in [
            "html/index.html", "html/data/documentation/sceneruntime/scenehost.json",
            "html/documentation/sceneruntime/scenehost/index.html",
            "soak.conf", "journald@scened.conf", "shop.yaml", "bank.yaml", "club.yaml", "no swift", "0",
            "No race found.",
            "socket: enabled active", "before: inactive",
            #""outcome": "applied""#, "after: active",
            "StatusText=Shop (manifest 1): 1 scene, 0 clients", #""SCENED_APP":"Shop""#, "Subject: Shop is running",
            #".TH SCENED 8 "" "scened""#, #".TH SCENECTL 1 "" "scened""#, "verified", "removed", "configuration stays",
            "purged",
        ] {
            #expect(lines.contains(line), "\(line) is missing in:\n\(all)")
        }
        let user = lines.first { $0.hasPrefix("user: ") }.flatMap { Int($0.dropFirst(6)) }
        #expect(user.map { (61_184...65_519).contains($0) } == true, "\(all)")
        let exposure = lines.first { $0.hasPrefix("level for") }?.split(separator: " ").compactMap { Double($0) }.first
        #expect(exposure.map { $0 <= 1 } == true, "\(all)")
    }

    @Test("a manifest is reloaded, or systemctl says that it is not")
    func reloads() throws {
        let lines = try run(
            """
            scenectl app print > /etc/scened/app.yaml
            echo 'app: /etc/scened/app.yaml' > /etc/scened/scened.yaml
            scenectl status | grep -o 'app  *.etc.*'
            # Before systemd has read that the daemon is ready it has nothing to reload.
            await systemctl -q is-active scened.service
            sed -i 's/^version: .*/version: "7"/' /etc/scened/app.yaml
            systemctl reload scened.service && echo "reloaded: $(scenectl status | tr -s ' ' | grep -o 'manifestVersion .*')"
            journal 46c155de47414e66bc9b03e54629faf9 SCENED_VERSION
            echo 'name: [' > /etc/scened/app.yaml
            systemctl reload scened.service > /dev/null 2>&1 || echo "refused: $?"
            scenectl status | tr -s ' ' | grep -o 'manifestVersion .*'
            journalctl --sync
            journalctl -x -u scened.service MESSAGE_ID=a0dfdad062e7433f8dfddd04eeb1f4e8 | grep -c 'Correct the file'
            echo 'mailbx: 1' > /etc/scened/scened.yaml
            systemctl restart scened.service > /dev/null 2>&1 || echo "not started"
            journal a44fb1a1632f4cad98dd7d6f32057112 SCENED_PROBLEMS
            systemctl show -p NRestarts -p ExecMainStatus scened.service
            """
        )
        let all = lines.joined(separator: "\n")
        for line in [
            "reloaded: manifestVersion 7", #""SCENED_VERSION":"7""#, "refused: 1", "manifestVersion 7", "1",
            "not started", "NRestarts=0", "ExecMainStatus=78",
        ] {
            #expect(lines.contains(line), "\(line) is missing in:\n\(all)")
        }
        #expect(lines.contains { $0.hasSuffix("/etc/scened/scened.yaml:1:1") }, "\(all)")
        #expect(lines.contains { $0.contains("did you mean 'mailbox'") }, "\(all)")
    }

    @Test("roles decide who may do what: root everything, the group sending, others nothing unless configured")
    func roles() throws {
        let lines = try run(
            """
            usermod -aG scened games
            as() { user=$1; shift; runuser -u "$user" -- scenectl "$@" --socket /run/scened/io.scened > /out/said 2>&1 && echo "$user $1: 0" || echo "$user $1: $? $(head -n 1 /out/said | sed "s/^scenectl: //")"; }
            scenectl connect A > /dev/null
            as games openurl https://shop.example/product/p1
            as games back --scene A
            as games hold planned
            as games reload
            runuser -u games -- scenectl status --socket /run/scened/io.scened | grep '^roles ' | tr -s ' '
            as nobody list
            # Out of the socket's own protection, to see the daemon's.
            chmod 0666 /run/scened/io.scened
            as nobody list
            as nobody list
            journal 3e03600eddf14278b87a3c7e55c704c8 SCENED_METHOD
            journalctl -x -u scened.service MESSAGE_ID=3e03600eddf14278b87a3c7e55c704c8 SCENED_USER=65534 | grep -o 'Subject: .*'
            scenectl metrics | grep 'kind="denied"'
            printf 'roles:\\n  observe: [user:nobody]\\n  manage: [group:games]\\n' > /etc/scened/scened.yaml
            systemctl restart scened.service
            as nobody list
            as nobody connect B
            as games reload
            as games list
            printf 'roles:\\n  inject: [group:games]\\n  mutate: [group:games]\\n' > /etc/scened/scened.yaml
            systemctl restart scened.service
            gpasswd -d games scened > /dev/null
            as games openurl https://shop.example/product/p1
            as games back --scene A
            scened --check-config | grep -q '^warning: .*roles.act is not' && echo warned
            """
        )
        let all = lines.joined(separator: "\n")
        func refusal(_ role: String, _ user: String) -> String {
            "You do not have the role '\(role)' that this needs on this daemon. Whoever runs it gives it by the setting roles.\(role), such as 'roles.\(role): [user:\(user)]' in its scened.yaml(5)."
        }
        let expected = [
            "games openurl: 0", "games back: 0",
            "games hold: 1 \(refusal("control", "games"))", "games reload: 1 \(refusal("manage", "games"))",
            "roles observe, inject, act, mutate",
            "nobody list: 3 You may not connect to /run/scened/io.scened, which belongs to the user root: members of the group scened may connect ('sudo usermod -aG scened nobody', then log in again).",
            "nobody list: 1 \(refusal("observe", "nobody"))", "nobody list: 1 \(refusal("observe", "nobody"))",
            // The same denial within a minute is only counted.
            #""SCENED_METHOD":"io.scened.Control.Hold""#, #""SCENED_METHOD":"io.scened.Manager.Reload""#,
            #""SCENED_METHOD":"io.scened.Scenes.List""#,
            "Subject: User 65534 may not call io.scened.Scenes.List", #"scened_incidents_total{kind="denied"} 4"#,
            "nobody list: 0", "nobody connect: 1 \(refusal("mutate", "nobody"))", "games reload: 0",
            "games list: 1 \(refusal("observe", "games"))", "games openurl: 0",
            "games back: 1 \(refusal("act", "games"))", "warned",
        ]
        #expect(lines == expected, "\(all)")
    }

    @Test("the watchdog kills and restarts a daemon that is stuck, and leaves a healthy one alone")
    func watchdog() throws {
        let lines = try run(
            """
            configure WatchdogSec=2 RestartSec=100ms
            scenectl connect A > /dev/null
            # A held window is well, for three times as long as the watchdog waits.
            scenectl hold planned --scene A -- sh -c '
                scenectl openurl --wait admitted --scene A https://shop.example/cart
                sleep 6' > /dev/null
            systemctl show -p NRestarts scened.service
            first=$(systemctl show -P MainPID scened.service)
            kill -STOP "$first"
            restarted() { test "$(systemctl show -P NRestarts scened.service)" = 1 && test "$(systemctl is-active scened.service)" = active; }
            await restarted
            systemctl show -p NRestarts scened.service
            test "$(systemctl show -P MainPID scened.service)" != "$first" && echo "another"
            journalctl --sync
            journalctl -u scened.service | grep -o 'Watchdog timeout' | head -n 1
            journalctl -u scened.service | grep -o "with result 'watchdog'" | head -n 1
            scenectl openurl --json https://shop.example/product/p1004 | grep -o '"outcome": *"[a-z]*"'
            """
        )
        #expect(
            lines == [
                "NRestarts=0", "NRestarts=1", "another", "Watchdog timeout", "with result 'watchdog'",
                #""outcome": "applied""#,
            ],
            "\(lines.joined(separator: "\n"))"
        )
    }

    @Test("after kill -9 under load the next daemon starts at once, and clients reconnect")
    func killedUnderLoad() throws {
        let lines = try run(
            """
            configure RestartSec=100ms
            scenectl connect A > /dev/null
            for client in 1 2 3; do
                while test ! -e /out/end; do
                    scenectl openurl https://shop.example/product/p1 > /dev/null 2>&1 && echo done >> /out/client$client || true
                done &
            done
            busy() { for client in 1 2 3; do test "$(wc -l < /out/client$client)" -ge "$1" || return 1; done; }
            await busy 3
            first=$(systemctl show -P MainPID scened.service)
            kill -9 "$first"
            restarted() { test "$(systemctl show -P NRestarts scened.service)" = 1 && test "$(systemctl is-active scened.service)" = active; }
            await restarted
            test "$(systemctl show -P MainPID scened.service)" != "$first" && echo "another"
            for client in 1 2 3; do : > /out/client$client; done
            await busy 3
            touch /out/end
            wait
            echo "socket: $(systemctl is-active scened.socket)"
            """
        )
        #expect(lines == ["another", "socket: active"], "\(lines.joined(separator: "\n"))")
    }

    @Test("a soak kills the daemon, systemd starts the next one, and all invariants hold for both")
    func soakedAndKilled() throws {
        let lines = try run(
            """
            configure RestartSec=100ms
            scenectl soak --rate 50 --duration 3s --warm-up 0s --seed 7 --faults kill@1s --out /out/soak > /out/said 2>&1
            echo "status: $?"
            grep -o '"ending": *"[kr][a-z]*"' /out/soak/soak.json
            grep -o '"restarts": *[0-9]*' /out/soak/soak.json
            grep -o 'was killed; a new daemon answered' /out/soak/soak.json | head -n 1
            systemctl show -p NRestarts scened.service
            """
        )
        #expect(
            lines == [
                "status: 0", #""ending":"running""#, #""restarts":1"#, "was killed; a new daemon answered",
                "NRestarts=1",
            ],
            "\(lines.joined(separator: "\n"))"
        )
    }

    @Test("stopping finishes and answers admitted events; the next client starts the next daemon")
    func stops() throws {
        let lines = try run(
            """
            configure Environment=SCENED_TRANSITION=60000
            scenectl connect A > /dev/null
            scenectl openurl --scene A --json https://shop.example/product/p1 > /out/receipt &
            moving() { scenectl show A --json | grep -q '"transitioning": *true'; }
            await moving
            systemctl stop scened.service 2> /dev/null
            wait
            grep -o '"outcome": *"[a-z]*"' /out/receipt
            systemctl show -p Result -p ExecMainStatus scened.service
            journal 795a602801214b21b662856a6b6f6a01 MESSAGE
            test -S /run/scened/io.scened && echo "socket stays"
            scenectl list | grep -o '^A .*product'
            """
        )
        #expect(
            lines == [
                #""outcome": "applied""#, "Result=success", "ExecMainStatus=0", #""MESSAGE":"stopped""#, "socket stays",
                "A  foregroundActive  home › product",
            ],
            "\(lines.joined(separator: "\n"))"
        )
    }

    @Test(
        "restarts, reloads and an upgrade refuse nobody, leave no call without an answer, and lose nothing that was acknowledged",
        .enabled(if: access("/usr/bin/python3", X_OK) == 0, "/usr/bin/python3 is not installed")
    )
    func restarts() throws {
        let given = try TemporaryDirectory()
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        for file in ["Restarts/restarts.py", "Kills/counters.yaml"] {
            let copy = "\(given.path)/\(file.split(separator: "/").last ?? "")"
            try FileManager.default.copyItem(atPath: tests.appendingPathComponent(file).path, toPath: copy)
        }
        // Instead, one client can send so many events a second, and its longest pauses are shown.
        let rate = ProcessInfo.processInfo.environment["TEST_RESTART_RATE"]
        let length = rate.map { "--rate \($0) --answers 500" } ?? "--answers 100"
        let lines = try run(
            """
            cp /given/counters.yaml /etc/scened/app.yaml
            printf '%s\\n' 'app: /etc/scened/app.yaml' 'transition: 50' 'mailbox: 1000000' 'retainedEvents: 1000000' \\
                'retainedRecords: 10000000' 'retainedRecordBytes: 1000000000' > /etc/scened/scened.yaml
            dpkg-deb --raw-extract /scened.deb /newer
            rm -r /newer/usr/share/doc /newer/DEBIAN/md5sums
            sed -i 's/^Version: .*/&+newer/' /newer/DEBIAN/control
            dpkg-deb -Znone --build /newer /newer.deb > /dev/null
            cat > /in-a-row << 'END'
            for _ in 1 2 3 4 5 6 7 8; do systemctl restart scened.service || exit; done
            END
            socket() { stat -c %i /run/scened/io.scened; }
            scenectl list > /dev/null
            before=$(socket)
            restarts() { python3 -B /given/restarts.py --socket /run/scened/io.scened \(length) "$@" > /out/said 2>&1; }
            if restarts 'systemctl restart scened.service' 'systemctl reload scened.service' 'dpkg --install /newer.deb' \\
                'systemctl restart scened.service'; then echo held; else cat /out/said; fi
            grep -e longest -e half /out/said || true
            sh /in-a-row && echo "eight in a row"
            test "$(socket)" = "$before" && echo "one socket"
            journal 4fd58a00f99c4f2fa2277752eb6406cb SCENED_APP | wc -l
            journal 46c155de47414e66bc9b03e54629faf9 SCENED_VERSION | wc -l
            """,
            given: given.path
        )
        if rate != nil { print(lines.joined(separator: "\n")) }
        // Three restarts and eight more, and one reload.
        #expect(
            lines.filter { !$0.hasPrefix("restarts: ") }
                == ["held", "eight in a row", "one socket", "12", "1"],
            "\(lines.joined(separator: "\n"))"
        )
    }

    @Test(
        "a hostile crowd harms nobody while memory and tasks are limited and the clocks jump; systemd never restarts the daemon",
        .enabled(if: access("/usr/bin/python3", X_OK) == 0, "/usr/bin/python3 is not installed")
    )
    func hostileCrowd() throws {
        // Clocks cannot be set in a container, so a library moves them for the daemon alone.
        let given = try TemporaryDirectory()
        let crowd = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Crowd")
        for file in try FileManager.default.contentsOfDirectory(at: crowd, includingPropertiesForKeys: nil) {
            try FileManager.default.copyItem(atPath: file.path, toPath: "\(given.path)/\(file.lastPathComponent)")
        }
        let compiler = try Command(
            ["clang", "-shared", "-fPIC", "-o", "\(given.path)/clock.so", "\(given.path)/clock.c"],
            mergingErrors: true
        )
        #expect(compiler.end() == 0)
        // As long as wanted: the short form, or so many seconds for the long one, which also judges by the clock.
        let seconds = ProcessInfo.processInfo.environment["TEST_HOSTILE_SECONDS"]
        let length = seconds.map { "--seconds \($0)" } ?? "--short"
        let lines = try run(
            """
            crowd() { PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 /given/crowd.py --daemon /usr/bin/scened --scenectl /usr/bin/scenectl "$@"; }
            crowd --print-config > /etc/scened/scened.yaml
            configure MemoryMax=512M TasksMax=32 Environment=LD_PRELOAD=/given/clock.so
            echo "0 0" > /run/crowd-clock
            scenectl list > /dev/null
            first=$(systemctl show -P MainPID scened.service)
            grep -q clock.so "/proc/$first/maps" && echo "with clocks that jump"
            ahead=0
            while test ! -e /out/end; do
                ahead=$((ahead + 600))
                for wall in 86400 -86400 0; do echo "$wall $ahead" > /run/next && mv /run/next /run/crowd-clock; sleep 0.1; done
            done &
            crowd \(length) --seed 1 --socket /run/scened/io.scened > /out/crowd 2>&1 || cat /out/crowd
            tail -n 1 /out/crowd
            touch /out/end
            wait
            systemctl show -p NRestarts -p MemoryMax -p TasksMax scened.service
            test "$(systemctl show -P MainPID scened.service)" = "$first" && echo "the same daemon"
            # Not every container enforces the limits.
            test "$(awk '/^VmHWM/ { print $2 }' "/proc/$first/status")" -lt 524288 && echo "within the memory"
            test "$(ls "/proc/$first/task" | wc -l)" -le 32 && echo "within the tasks"
            """,
            given: given.path
        )
        #expect(
            lines == [
                "with clocks that jump", "crowd: nobody was harmed", "NRestarts=0", "MemoryMax=536870912",
                "TasksMax=32", "the same daemon", "within the memory", "within the tasks",
            ],
            "\(lines.joined(separator: "\n"))"
        )
    }

    @Test("one daemon per app: an instance runs the manifest of its name on a separate socket")
    func instances() throws {
        let lines = try run(
            """
            scenectl app print | sed 's/^name: .*/name: Second/' > /etc/scened/second.yaml
            systemctl start scened@second.socket
            echo "before: $(systemctl is-active scened@second.service)"
            scenectl status --socket /run/scened/second/io.scened | grep '^app ' | head -n 1
            scenectl status | grep '^app ' | head -n 1
            await systemctl -q is-active scened@second.service
            systemctl reload scened@second.service && echo "reloaded"
            shown() { systemctl show -p StatusText scened@second.service | grep -o '=Second (manifest 1)'; }
            await shown
            shown
            """
        )
        #expect(
            lines.map { $0.split(separator: " ").joined(separator: " ") } == [
                "before: inactive", "app Second", "app Shop", "reloaded", "=Second (manifest 1)",
            ],
            "\(lines.joined(separator: "\n"))"
        )
    }
}
