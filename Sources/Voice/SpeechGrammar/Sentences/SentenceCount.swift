/// The number of sentences of a grammar.
public enum SentenceCount: Sendable, Hashable, CustomStringConvertible {
  /// An exact number.
  case exactly(Int)
  /// More than can be counted with an `Int`.
  case uncountable
  /// Unlimited, because of an unbounded repetition.
  case endless

  /// The number, or “endless”.
  public var description: String {
    switch self {
    case .exactly(let count): "\(count)"
    case .uncountable: "more than \(Int.max)"
    case .endless: "endless"
    }
  }
}
