import Foundation

/// The size of tests that repeat something many times: fuzzing, endurance, and searches for leaks.
///
/// By default they run at a size that can still fail. `SPEECHKIT_ENDURANCE=1` selects the full
/// size, and a larger number that many times the full size.
public enum Endurance {
  /// True if tests run at full size or more.
  public static var isFull: Bool { factor > 0 }

  /// A number of repetitions.
  public static func count(full: Int, short: Int) -> Int { isFull ? full * factor : short }

  /// Test arguments: all of them, or a representative selection.
  public static func cases<Case>(full: [Case], short: [Case]) -> [Case] { isFull ? full : short }

  private static let factor =
    ProcessInfo.processInfo.environment["SPEECHKIT_ENDURANCE"].flatMap { Int($0) } ?? 0
}
