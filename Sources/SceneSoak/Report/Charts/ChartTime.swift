internal import Basics

/// The horizontal scale of a chart: the time of a soak.
struct ChartTime {
    let length: Double

    init(_ length: Duration) {
        self.length = max(length.seconds, 1)
    }

    /// The place of a time, from 0 at the left to 1 at the right.
    func place(_ time: Duration) -> Double { min(max(time.seconds / length, 0), 1) }

    /// At most six round times, each with its label.
    var ticks: [(place: Double, word: String)] {
        let steps: [Double] = [
            1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800,
            604_800, 2_592_000, 31_536_000, 315_360_000,
        ]
        let step = steps.first { length / $0 <= 5 } ?? length
        return stride(from: 0, through: length, by: step).map { ($0 / length, Self.word($0, step: step)) }
    }

    private static func word(_ seconds: Double, step: Double) -> String {
        if seconds == 0 { return "0" }
        if step < 60 { return seconds < 60 ? "\(Wording.plain(seconds)) s" : Wording.moment(.seconds(seconds)) }
        if step < 3600 {
            return seconds < 3600
                ? "\(Wording.plain(seconds / 60)) min" : Wording.duration(.seconds(seconds))
        }
        if step < 86_400 { return "\(Wording.plain(seconds / 3600)) h" }
        return "\(Wording.plain(seconds / 86_400)) d"
    }
}
