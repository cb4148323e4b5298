internal import CoreMetrics
internal import SceneRouting
internal import SceneRuntime
internal import Basics

/// Counts the routing engine's answers by entry point, route, verdict and error.
final class ResolutionMetrics: Sendable {
    private struct Labels: Hashable {
        let door: String
        let route: String
        let verdict: String
        let error: String
    }

    private let factory: any MetricsFactory
    /// The counters by their labels. Their number is bounded by the routes of the manifests loaded so far.
    private let counters = Guarded<[Labels: Counter]>([:])

    init(factory: any MetricsFactory) {
        self.factory = factory
    }

    func count(_ report: ResolutionReport) {
        let labels =
            switch report.answer {
            case .success(let verdict): labels(report, verdict: verdict.rawValue, error: "")
            case .failure(let error):
                labels(report, verdict: RouteVerdict.refused.rawValue, error: Self.name(of: error))
            }
        let counter = counters.withLock { counters in
            if let counter = counters[labels] { return counter }
            let counter = Counter(
                label: "scened_resolutions",
                dimensions: [
                    ("door", labels.door), ("route", labels.route), ("verdict", labels.verdict),
                    ("error", labels.error),
                ],
                factory: factory
            )
            counters[labels] = counter
            return counter
        }
        counter.increment()
    }

    private func labels(_ report: ResolutionReport, verdict: String, error: String) -> Labels {
        Labels(door: report.door.rawValue, route: report.route ?? "", verdict: verdict, error: error)
    }

    private static func name(of error: RouteError) -> String {
        switch error {
        case .malformed: "malformed"
        case .unknownRoute: "unknownRoute"
        case .validationFailed: "validationFailed"
        }
    }
}
