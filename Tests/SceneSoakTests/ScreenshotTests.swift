import Foundation
import SceneHistory
import StrictJSON
import TestFixtures
import Testing

@testable import SceneSoak

/// Opens the page in a browser, measures it and looks at its picture.
///
/// Without Chromium these tests are skipped, or fail if `CI` is set; `.ci/setup` installs it.
@Suite(
    "The page in a browser",
    .enabled(
        if: Browser.isInstalled || ProcessInfo.processInfo.environment["CI"] != nil,
        "no chromium in PATH; 'make setup' installs it"
    ),
    .serialized
)
struct ScreenshotTests {
    /// A page with everything: several reasons to be guilty, gaps, faults and violations.
    private static var run: SoakRun {
        var run = ExampleRun.make(leak: 8)
        run.plan?.objectives = ["p99<1ms", "p99[siri]<1ms", "lost=0"]
        run.hosts[1].report = ExampleRun.whole("h2", but: .ticketOrder)
        run.hosts[1].evidence = [
            SoakHost.Evidence(invariant: .ticketOrder, records: "evidence/1.jsonl", replay: "evidence/1.json")
        ]
        run.hosts[0].gaps = [SoakHost.Gap(first: 5000, last: 9000, at: .seconds(300), cause: .rateLimit)]
        return run
    }

    @Test(
        "fits its window, has readable labels and drawn charts, and fetches nothing",
        arguments: [false, true]
    )
    func measures(isDark: Bool) throws {
        let browser = try Browser(Self.run, isDark: isDark)
        let pages = try browser.measure(widths: [1280, 400])
        for page in pages {
            let name = "\(page["width"]?.integerValue ?? 0) px"
            #expect(page["overflow"]?.integerValue == 0, "\(name)")
            #expect(page["wide"]?.arrayValue == [], "\(name)")
            // Figures of every interval may have to be scrolled; what they come to is in sight.
            let scrolled = page["scrolled"]?.arrayValue?.compactMap(\.stringValue) ?? ["?"]
            #expect(
                !scrolled.contains { $0.hasPrefix("Does anything grow?") || $0.hasPrefix("Each run") || $0 == "?" },
                "\(name): \(scrolled)"
            )
            #expect(page["faint"]?.arrayValue == [], "\(name): contrast below 4.5, which WCAG asks of text")
            #expect(page["crowded"]?.arrayValue == [], "\(name): words upon one another")
            #expect(page["fetched"]?.arrayValue == [], "\(name)")
            #expect(page["headline"]?.stringValue?.hasPrefix("Guilty: ") == true)
            let charts = try #require(page["charts"]?.arrayValue)
            #expect(charts.count == 9)
            for chart in charts {
                let width = try #require(chart["box"]?[2]?.doubleValue)
                #expect(width > 250, "\(name): \(chart)")
                #expect((chart["drawn"]?.doubleValue ?? 0) > 0.8 * width, "\(name): \(chart)")
            }
        }
    }

    @Test(
        "is a picture: dark where the reader wants it dark, and with something in every chart",
        arguments: [false, true]
    )
    func picture(isDark: Bool) throws {
        let browser = try Browser(Self.run, isDark: isDark)
        let page = try #require(try browser.measure(widths: [1280]).first)
        let charts = try #require(page["charts"]?.arrayValue)
        let height = try #require(page["height"]?.integerValue)
        // An empty part of the page, to see that the picture is not just noise.
        let boxes = charts.compactMap { $0["box"] } + [[0, 0, 8, JSONValue.integer(height)]]
        let picture = try browser.picture(height: height, boxes: boxes)
        #expect(picture["width"]?.integerValue == 640)
        let background = try #require(picture["background"]?.arrayValue).compactMap(\.integerValue)
        #expect(isDark ? background.allSatisfy { $0 < 60 } : background.allSatisfy { $0 > 240 }, "\(background)")
        let seen = try #require(picture["boxes"]?.arrayValue)
        for (chart, box) in zip(charts, seen) {
            let name = chart["name"]?.stringValue ?? ""
            #expect((box["pixels"]?.integerValue ?? 0) > 10_000, "\(name)")
            #expect((box["share"]?.doubleValue ?? 0) > 0.01, "\(name) is blank: \(box)")
            #expect((box["colours"]?.integerValue ?? 0) > 3, "\(name): \(box)")
        }
        #expect(seen.last?["share"]?.doubleValue == 0)
    }
}

/// Headless Chromium, with the files of one page.
private struct Browser {
    static let isInstalled = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
        FileManager.default.isExecutableFile(atPath: "\($0)/chromium")
    }

    private let folder: TemporaryDirectory
    private let isDark: Bool

    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static let scripts = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Screenshot")

    init(_ run: SoakRun, isDark: Bool) throws {
        folder = try TemporaryDirectory()
        self.isDark = isDark
        let html = SoakReport.html(of: run, verdict: SoakVerdict(of: run))
        try html.write(toFile: "\(folder.path)/report.html", atomically: true, encoding: .utf8)
        // The page allows no scripts, so the probe has to be permitted.
        let probe = try String(contentsOf: Self.scripts.appending(path: "probe.js"), encoding: .utf8)
        let asked = html.replacing(
            /<meta http-equiv="Content-Security-Policy"[^>]*>/,
            with: "<script>\(probe)</script>"
        )
        guard asked != html else { throw Failure(description: "the page has no Content-Security-Policy") }
        try asked.write(toFile: "\(folder.path)/probe.html", atomically: true, encoding: .utf8)
    }

    /// The measurements of a page in windows of these widths.
    func measure(widths: [Int]) throws -> [JSONValue] {
        let frames = widths.map {
            "<iframe src=\"probe.html\" name=\"\($0)\" style=\"border:0;width:\($0)px;height:900px\"></iframe>"
        }
        let page = """
            <!DOCTYPE html><meta charset="utf-8"><div id="answers"></div><script>
            addEventListener("message", (m) => {
              const line = document.createElement("p"); line.textContent = "answer " + btoa(unescape(encodeURIComponent(JSON.stringify(m.data))));
              document.getElementById("answers").append(line);
            });
            </script>\(frames.joined())
            """
        try page.write(toFile: "\(folder.path)/windows.html", atomically: true, encoding: .utf8)
        let lines = try run(["--virtual-time-budget=10000", "--dump-dom", "file://\(folder.path)/windows.html"])
        let answers = try lines.joined().matches(of: /answer ([A-Za-z0-9+\/=]+)/).map { match in
            guard let data = Data(base64Encoded: String(match.1)) else { throw Failure(description: "\(match.1)") }
            return try JSONValue(parsing: Array(data))
        }
        guard answers.count == widths.count else { throw Failure(description: lines.joined(separator: "\n")) }
        return answers
    }

    /// The pictures of boxes of the page, which is 1280 wide, at half size.
    func picture(height: Int, boxes: [JSONValue]) throws -> JSONValue {
        let file = "\(folder.path)/page.png"
        let lines = try run([
            "--force-device-scale-factor=0.5", "--window-size=1280,\(height)", "--screenshot=\(file)",
            "file://\(folder.path)/report.html",
        ])
        guard FileManager.default.fileExists(atPath: file) else {
            throw Failure(description: "no picture: \(lines.joined(separator: "\n"))")
        }
        let reader = try Command([
            "python3", Self.scripts.appending(path: "picture.py").path, file, "0.5", JSONValue.array(boxes).text(),
        ])
        return try reader.value()
    }

    private func run(_ arguments: [String]) throws -> [String] {
        let command = try Command(
            [
                "timeout", "120", "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                "--disable-dev-shm-usage", "--user-data-dir=\(folder.path)/profile",
            ] + (isDark ? ["--blink-settings=preferredColorScheme=0"] : ["--blink-settings=preferredColorScheme=1"])
                + arguments,
            mergingErrors: true
        )
        var lines: [String] = []
        while let line = command.line() { lines.append(line) }
        let status = command.end()
        guard status == 0 else { throw Failure(description: "chromium: \(status)\n\(lines.joined(separator: "\n"))") }
        return lines
    }
}
