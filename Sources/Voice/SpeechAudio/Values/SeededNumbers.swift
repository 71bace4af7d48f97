/// A random number generator whose numbers depend on its seed alone (SplitMix64): the same on every
/// machine and in every run.
///
/// ```swift
/// var random = SeededNumbers(seed: 7)
/// let order = ["a", "b", "c"].shuffled(using: &random)
/// ```
public struct SeededNumbers: RandomNumberGenerator, Sendable {
  private var state: UInt64
  private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// Creates a generator with a seed.
  public init(seed: UInt64) {
    state = seed
  }

  /// Creates a generator for one of several parts of a task, so that each part has its own numbers
  /// however many the others use.
  package init(seed: UInt64, part: some StringProtocol) {
    var mixed = seed
    for byte in part.utf8 { mixed = Self.number(at: mixed ^ UInt64(byte)) }
    self.init(seed: mixed)
  }

  /// Returns the next number.
  public mutating func next() -> UInt64 {
    state &+= Self.step
    return Self.mixed(state)
  }

  /// Returns a number from 0 up to but not including the bound, which is at least 1.
  package mutating func next(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// Returns a fraction from 0 up to but not including 1.
  package mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// The number at a place, counted from 1, of the sequence whose seed is 0, for values that must
  /// not depend on the place where reading begins.
  package static func number(at place: UInt64) -> UInt64 { mixed(place &* step) }

  /// Mixes the bits, so that each bit of the input affects every bit of the result.
  private static func mixed(_ value: UInt64) -> UInt64 {
    var bits = value
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}
