internal import Basics
internal import SceneClient

/// The pages that are open, by the numbers that they have got. One that is loaded again goes on as the page it was, and so do its holds.
struct OpenPages: Sendable {
    private struct Pages {
        var last = 0
        var open: [Int: LivePage] = [:]
        /// Those that no browser shows at the moment, with the time at which they end.
        var left: [Int: (page: LivePage, end: ContinuousClock.Instant)] = [:]
    }

    private let pages = Guarded(Pages())
    /// What browsers have done.
    let done = DoneActs()
    /// As long as a browser may take to load a page again.
    private static let patience = Duration.seconds(3)

    /// The page with this number, as a browser gives it; `nil` if it is not open.
    subscript(number: Int) -> LivePage? { pages.withLock { $0.open[number] } }

    /// Keeps a page while `body` runs, which gets it with its number: the one that this browser has just left, or another.
    func keep<Result>(
        of key: String,
        _ make: () async throws -> LivePage,
        _ body: (LivePage, Int) async throws -> Result
    ) async throws -> Result {
        let (number, page) = try await taken(by: key, make)
        do {
            let result = try await body(page, number)
            // What has ended by itself is over; else the browser has gone, and may come back.
            await leave(number, page, isOver: !Task.isCancelled)
            return result
        } catch {
            await leave(number, page, isOver: false)
            throw error
        }
    }

    private func leave(_ number: Int, _ page: LivePage, isOver: Bool) async {
        pages.withLock { pages in
            pages.open[number] = nil
            if !isOver { pages.left[number] = (page, .now + Self.patience) }
        }
        if isOver { await page.close() }
    }

    private func taken(by key: String, _ make: () async throws -> LivePage) async throws -> (Int, LivePage) {
        let again = pages.withLock { pages -> (Int, LivePage)? in
            guard let (number, left) = pages.left.first(where: { $0.value.page.key == key }) else { return nil }
            pages.left[number] = nil
            pages.open[number] = left.page
            return (number, left.page)
        }
        if let again { return again }
        let page = try await make()
        return pages.withLock { pages in
            pages.last += 1
            pages.open[pages.last] = page
            return (pages.last, page)
        }
    }

    /// Ends the pages that nobody has come back to, until the task is cancelled.
    func endLeft() async throws {
        while true {
            try await Task.sleep(for: .milliseconds(500))
            let over = pages.withLock { pages in
                let over = pages.left.filter { $0.value.end < .now }
                for number in over.keys { pages.left[number] = nil }
                return over.values.map(\.page)
            }
            for page in over { await page.close() }
        }
    }
}
