/// Values over time with a name and a colour. The line is interrupted where nothing was measured.
struct ChartLine {
    var name: String
    /// The class that colours it.
    var colour: String
    /// In the order of time; `nil` where nothing was measured.
    var points: [(time: Duration, value: Double?)]

    /// A stretch of points drawn as one: its place, its lowest and highest value, and the median.
    struct Spot {
        var place: Double
        var low: Double
        var middle: Double
        var high: Double
    }

    /// At most this many spots, in runs without interruption. No extreme is lost: each spot keeps the lowest and highest value.
    func runs(_ time: ChartTime, atMost most: Int) -> [[Spot]] {
        let width = max(1, (points.count + most - 1) / most)
        var runs: [[Spot]] = [[]]
        for start in stride(from: 0, to: points.count, by: width) {
            let stretch = points[start..<min(start + width, points.count)]
            let values = stretch.compactMap(\.value).sorted()
            guard let low = values.first, let high = values.last, let first = stretch.first, let last = stretch.last
            else {
                if runs[runs.count - 1].isEmpty == false { runs.append([]) }
                continue
            }
            let place = (time.place(first.time) + time.place(last.time)) / 2
            runs[runs.count - 1].append(Spot(place: place, low: low, middle: values.medianOfSorted, high: high))
        }
        return runs.filter { !$0.isEmpty }
    }
}
