/// Records that are missing, in words.
package enum MissingRecords {
    /// `records 5 to 7 are missing`.
    package static func phrase(_ indices: ClosedRange<Int>) -> String {
        indices.lowerBound == indices.upperBound
            ? "record \(indices.lowerBound) is missing"
            : "records \(indices.lowerBound) to \(indices.upperBound) are missing"
    }

    /// `3 records before record 8 are missing`.
    package static func phrase(count: Int, before index: Int) -> String {
        "\(count == 1 ? "1 record" : "\(count) records") before record \(index) \(count == 1 ? "is" : "are") missing"
    }
}
