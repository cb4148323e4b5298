/// Folds numbers into 64 bits, the same in every process: `Hasher` is seeded per process.
@inline(__always)
func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
    SplitMix.mix((a ^ (b &* SplitMix.golden)) &+ SplitMix.golden)
}
