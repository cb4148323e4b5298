package import StrictJSON

/// All figures of one run of the suite, with the machine and the commit.
package struct BenchmarkResults: Hashable, Sendable {
    /// The machine: processor, cores, memory in bytes, system.
    package var processor: String
    package var cores: Int
    package var memory: Int
    package var system: String
    /// The commit that was measured, and the compiler that built it.
    package var commit: String
    package var toolchain: String
    /// The time, as `2026-11-21T12:00:00Z`.
    package var date: String
    package var figures: [Figure]

    package init(
        processor: String,
        cores: Int,
        memory: Int,
        system: String,
        commit: String,
        toolchain: String,
        date: String,
        figures: [Figure]
    ) {
        self.processor = processor
        self.cores = cores
        self.memory = memory
        self.system = system
        self.commit = commit
        self.toolchain = toolchain
        self.date = date
        self.figures = figures
    }

    package var json: JSONValue {
        [
            "format": 1,
            "machine": [
                "processor": .string(processor), "cores": .integer(cores), "memory": .integer(memory),
                "system": .string(system),
            ],
            "commit": .string(commit), "toolchain": .string(toolchain), "date": .string(date),
            "figures": .array(figures.map(\.json)),
        ]
    }

    /// - Parameter file: The file's name, for errors.
    /// - Throws: ``FigureError/notRead(file:reason:)``
    package init(parsing text: String, file: String) throws(FigureError) {
        let json: JSONValue
        do {
            json = try JSONValue(parsing: text)
        } catch {
            throw .notRead(file: file, reason: "\(error)")
        }
        guard json["format"] == 1, let figures = json["figures"]?.arrayValue else {
            throw .notRead(
                file: file,
                reason: "not a file of results; expected one that 'make bench' wrote"
            )
        }
        self.init(
            processor: json["machine"]?["processor"]?.stringValue ?? "",
            cores: json["machine"]?["cores"]?.integerValue ?? 0,
            memory: json["machine"]?["memory"]?.integerValue ?? 0,
            system: json["machine"]?["system"]?.stringValue ?? "",
            commit: json["commit"]?.stringValue ?? "",
            toolchain: json["toolchain"]?.stringValue ?? "",
            date: json["date"]?.stringValue ?? "",
            figures: try figures.map { json throws(FigureError) in
                guard let figure = Figure(json: json) else {
                    throw .notRead(file: file, reason: "\(json.text()) is not a figure")
                }
                return figure
            }
        )
    }

    /// The machine in one line.
    package var machine: String {
        let gibibytes = (Double(memory) / 1_073_741_824).rounded()
        return "\(processor), \(cores) cores, \(Int(gibibytes)) GiB, \(system); \(toolchain)"
    }

    /// A table in Markdown, by area.
    package var table: String {
        var lines = ["| area | figure | median | middle half | of | goal | |", "|---|---|---|---|---|---|---|"]
        for figure in figures {
            let spread =
                figure.samples.count > 1
                ? "\(figure.value(figure.spread.lowerBound)) to \(figure.value(figure.spread.upperBound))" : ""
            let goal = figure.goalText.map { $0 + (figure.isReached == true ? "" : " **missed**") } ?? ""
            let cells = [
                figure.area, figure.name, figure.value(figure.median), spread, figure.reference ?? "", goal,
                figure.detail,
            ]
            lines.append("| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
