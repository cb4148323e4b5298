internal import Basics
internal import SceneRaces

/// An engine that starts the shards of a search, and the script for it to start from.
enum ShardEngine: String, CaseIterable {
    case slurm, parallel, github

    /// The most jobs of a matrix of GitHub's.
    static let mostOfGitHub = 256

    /// What the words of a search must not have, because the engine or its script would read it otherwise.
    var refused: [String] {
        switch self {
        case .slurm: ["\n"]
        case .parallel: ["{", "\n"]
        case .github: ["${{", "\n"]
        }
    }

    /// The commands of a shell after a shard's: it is a failure only if there is nothing that `merge` could judge. 1 is a race, 4 a shard whose time
    /// was over, and 130 and 143 one that SIGINT or SIGTERM ended; each leaves its file.
    private static let passing = "case $status in 0|1|4|130|143) ;; *) exit $status ;; esac"

    /// The script.
    /// - Parameters:
    ///   - command: The command of a search, without its shard.
    ///   - program: The name of the program.
    ///   - stem: What the names of the shards' files begin with.
    ///   - count: How many shards there are, 1 to ``RaceShard/Search/maxCount``.
    func script(_ command: String, program: String, stem: String, count: Int) -> String {
        // A name that begins with a dash would be read as an option.
        let files = "\(stem.hasPrefix("-") ? "./" : "")\(stem.shellWord).shard-*-of-\(count).json"
        let log = stem.utf8.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 || $0 == UInt8(ascii: "-") }
        let merge = "\(program) race merge \(files)"
        let quoted = command.replacing("'", with: "'\\''")
        return switch self {
        case .slurm:
            """
            #!/bin/bash
            #SBATCH --job-name=race
            #SBATCH --array=1-\(count)
            #SBATCH --output=\(log ? stem : "race").shard-%a-of-\(count).log
            #SBATCH --open-mode=append
            #SBATCH --requeue
            # Submit it with sbatch, in a folder that all nodes share. Where a node fails, Slurm starts its shard again, which goes on with its
            # file; submitted again, each goes on that was ended. At the end:
            #   \(merge)
            \(command) --shard \(count)
            status=$?
            # 1 is a race, which merge shows; 4, 130 and 143 are a shard that --time or a signal ended, which it names. The verdict is merge's.
            \(Self.passing)

            """
        case .parallel:
            """
            #!/bin/sh
            # As many shards at once as there are processors; with --sshloginfile on other machines too, in a folder that they share. Started
            # again, it makes only what is missing.
            # 1 is a race, which merge shows; 4, 130 and 143 are a shard that --time or a signal ended, which it names. Anything else ends the
            # others, too.
            seq \(count) | parallel --line-buffer --halt soon,fail=1 '\(quoted) --shard {}/\(count); status=$?; \(Self.passing)' || exit
            \(merge)

            """
        case .github:
            """
            name: race
            on: workflow_dispatch
            jobs:
              shard:
                runs-on: ubuntu-latest
                strategy:
                  fail-fast: false
                  matrix:
                    shard: [\((1...count).map { "\($0)" }.joined(separator: ", "))]
                steps:
                  - uses: actions/checkout@v4
                  # Here a step has to install \(program).
                  - run: |
                      status=0
                      \(command) --shard ${{ matrix.shard }}/\(count) || status=$?
                      # 1 is a race, which merge shows; 4, 130 and 143 are a shard that --time or a signal ended, which it names. The verdict is
                      # merge's.
                      \(Self.passing)
                  - uses: actions/upload-artifact@v4
                    if: always()
                    with:
                      name: shard-${{ matrix.shard }}
                      path: "*.shard-*.json"
              merge:
                needs: shard
                if: always()
                runs-on: ubuntu-latest
                steps:
                  - uses: actions/checkout@v4
                  # And here.
                  - uses: actions/download-artifact@v4
                    with:
                      merge-multiple: true
                  - run: |
                      \(merge)

            """
        }
    }
}
