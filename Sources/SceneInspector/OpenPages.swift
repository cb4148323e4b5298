internal import Basics
internal import SceneClient

/// The pages that are open, by the numbers that they have got.
struct OpenPages: Sendable {
    private let pages = Guarded<(last: Int, open: [Int: LivePage])>((0, [:]))

    /// The page with this number, as a browser gives it; `nil` if it is not open.
    subscript(number: Int) -> LivePage? { pages.withLock { $0.open[number] } }

    /// Keeps a page while `body` runs, which gets its number.
    func keep<Result>(_ page: LivePage, _ body: (Int) async throws -> Result) async throws -> Result {
        let number = pages.withLock { pages in
            pages.last += 1
            pages.open[pages.last] = page
            return pages.last
        }
        defer { pages.withLock { $0.open[number] = nil } }
        do {
            let result = try await body(number)
            await page.client.close()
            return result
        } catch {
            await page.client.close()
            throw error
        }
    }
}
