import Foundation
import Glibc
import TestFixtures

/// A booted systemd in a container, for one script. It is an overlay of this machine's files, so its changes do not last.
enum Container {
    /// Why this machine cannot run a container, or `nil`.
    static let obstacle: String? = {
        guard geteuid() == 0 else { return "a container needs root" }
        guard access("/usr/bin/systemd-nspawn", X_OK) == 0 else { return "systemd-container is not installed" }
        let trial = """
            mount -t tmpfs tmpfs /mnt && mkdir /mnt/u /mnt/w /mnt/r
            mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/u,workdir=/mnt/w /mnt/r
            """
        guard let command = try? Command(["unshare", "--mount", "sh", "-ec", trial], mergingErrors: true),
            command.end() == 0
        else { return "this machine allows no overlay of /" }
        return nil
    }()

    /// What `/usr/bin/scened` is.
    enum Daemon {
        /// The probe, run as `scened serve`.
        case probe
        /// The real daemon, run as in the unit, with `scenectl` beside it.
        case scened
        /// Nothing yet: the Debian package is at `/scened.deb`, and Swift is hidden.
        case package(String)

        /// The package that `make deb` built, for tests of the installed system; `.ci/test` names it.
        static let builtPackage = ProcessInfo.processInfo.environment["TEST_DEB"]

        fileprivate var environment: [String: String] {
            switch self {
            case .probe: ["DAEMON": Command.probe, "ARGUMENTS": " serve", "BESIDE": ""]
            case .scened:
                ["DAEMON": Command.built("scened"), "ARGUMENTS": "", "BESIDE": Command.built("scenectl")]
            case .package(let path): ["PACKAGE": path, "DAEMON": "", "ARGUMENTS": "", "BESIDE": ""]
            }
        }
    }

    /// Where Swift is on this machine; programs installed from the package must not need it.
    private static var swiftDirectories: String {
        var directories: Set<String> = []
        for path in (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":") {
            guard let real = realpath("\(path)/swift", nil) else { continue }
            defer { free(real) }
            // …/usr/bin/swift
            let root = URL(fileURLWithPath: String(cString: real)).deletingLastPathComponent()
                .deletingLastPathComponent().deletingLastPathComponent().path
            if root != "/", root != "/usr" { directories.insert(root) }
        }
        return directories.joined(separator: " ")
    }

    /// The start of every script. `await` waits until a command succeeds, far longer than a busy machine needs.
    private static let prelude = """
        await() { for _ in $(seq 1200); do if "$@" > /dev/null 2>&1; then return; fi; sleep 0.05; done; echo "never: $*"; }

        """

    /// Boots with this checkout's units and runs `script` in place of a target.
    /// - Parameter folder: A folder that the script finds at `/given`.
    /// - Returns: what it prints.
    static func run(_ script: String, daemon: Daemon = .probe, given folder: String? = nil) throws -> [String] {
        let directory = try TemporaryDirectory()
        let out = try directory.make("out")
        _ = try directory.make("box")
        try (prelude + script).write(toFile: "\(directory.path)/script", atomically: true, encoding: .utf8)
        let unit = """
            [Unit]
            Requires=systemd-journald.socket basic.target
            After=systemd-journald.socket basic.target
            SuccessAction=exit
            FailureAction=exit
            [Service]
            Type=oneshot
            ExecStart=/bin/sh -ec 'exec sh /script > /out/log 2>&1'
            """
        try unit.write(toFile: "\(directory.path)/trial.service", atomically: true, encoding: .utf8)
        let boot = """
            mount -t tmpfs tmpfs "$D/box"
            mkdir "$D/box/upper" "$D/box/work" "$D/box/root"
            root="$D/box/root"
            mount -t overlay overlay -o "lowerdir=$LOWER,upperdir=$D/box/upper,workdir=$D/box/work" "$root"
            cp "$D/trial.service" "$root/etc/systemd/system/"
            cp "$D/script" "$root/script"
            boot() {
                exec timeout 300 systemd-nspawn --quiet --directory="$root" --machine="${D##*/}" --boot --register=no \\
                    --keep-unit --private-network --link-journal=no --console=read-only --bind="$D/out:/out" --bind-ro="$GIVEN:/given" "$@" \\
                    -- --unit=trial.service < /dev/null > "$D/console" 2>&1
            }
            if test -n "${PACKAGE:-}"; then
                cp "$PACKAGE" "$root/scened.deb"
                hidden=""
                for directory in $SWIFT; do
                    test ! -e "$root$directory" || hidden="$hidden --tmpfs=$directory"
                done
                boot $hidden
            fi
            for unit in "$REPOSITORY"/systemd/*.service "$REPOSITORY"/systemd/*.socket; do
                sed "s|^ExecStart=/usr/bin/scened\\$|&$ARGUMENTS|" "$unit" \\
                    > "$root/etc/systemd/system/${unit##*/}"
            done
            mkdir -p "$root/usr/lib/sysusers.d" "$root/usr/lib/systemd/catalog"
            mkdir -p "$root/usr/share/doc/scened/examples"
            cp "$REPOSITORY"/systemd/*.conf "$root/usr/share/doc/scened/examples/"
            cp "$REPOSITORY/systemd/scened.sysusers" "$root/usr/lib/sysusers.d/scened.conf"
            cp "$REPOSITORY/systemd/scened.catalog" "$root/usr/lib/systemd/catalog/"
            install -m 0755 "$DAEMON" "$root/usr/bin/scened"
            test -z "$BESIDE" || install -m 0755 -t "$root/usr/bin" "$BESIDE"
            # Swift's runtime may lie where the unit's sandbox hides it.
            ldd "$DAEMON" $BESIDE | awk '/\\/(swift\\/linux|lib\\/scened)\\// { print $3 }' | xargs -r cp -t "$root/usr/local/lib"
            ldconfig -r "$root"
            boot
            """
        let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().path
        let command = try Command(
            ["unshare", "--mount", "--propagation", "private", "sh", "-ec", boot],
            environment: [
                "D": directory.path, "REPOSITORY": repository, "GIVEN": folder ?? directory.path,
                // Another Debian can be given instead of this machine's.
                "LOWER": ProcessInfo.processInfo.environment["TEST_DEBIAN"] ?? "/", "SWIFT": swiftDirectories,
            ].merging(daemon.environment) { $1 },
            mergingErrors: true
        )
        command.end()
        let log = (try? String(contentsOfFile: "\(out)/log", encoding: .utf8)) ?? ""
        if log.isEmpty {
            // The output of the boot, to explain a failure.
            let console = (try? String(contentsOfFile: "\(directory.path)/console", encoding: .utf8)) ?? ""
            return ["the container did not run the script:"]
                + console.split(separator: "\n").suffix(20).map(String.init)
        }
        return log.split(separator: "\n").map(String.init)
    }
}
