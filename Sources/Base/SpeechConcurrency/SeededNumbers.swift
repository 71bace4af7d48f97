/// Random numbers that are the same for the same seed, on every machine and in every run (SplitMix64).
///
/// ```swift
/// var random = SeededNumbers(seed: 7)
/// let order = ["a", "b", "c"].shuffled(using: &random)
/// ```
public struct SeededNumbers: RandomNumberGenerator, Sendable {
  private var state: UInt64
  private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// Numbers that depend on the seed alone.
  public init(seed: UInt64) {
    state = seed
  }

  /// Numbers for one of many parts of a work, so that each part has its own whatever the others use.
  public init(seed: UInt64, part: some StringProtocol) {
    var mixed = seed
    for byte in part.utf8 { mixed = Self.number(at: mixed ^ UInt64(byte)) }
    self.init(seed: mixed)
  }

  /// The next number.
  public mutating func next() -> UInt64 {
    state &+= Self.step
    return Self.mixed(state)
  }

  /// From 0 on, below that bound, which is at least 1.
  public mutating func next(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// From 0 on, below 1.
  public mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// The number at that place of the sequence whose seed is 0, counted from 1: for what has to be the same
  /// wherever one begins.
  public static func number(at place: UInt64) -> UInt64 { mixed(place &* step) }

  /// Every bit of the input moves every bit of the output.
  private static func mixed(_ value: UInt64) -> UInt64 {
    var bits = value
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}
