/// How many sentences a grammar has.
public enum SentenceCount: Sendable, Hashable, CustomStringConvertible {
  /// So many.
  case exactly(Int)
  /// More than can be counted with an `Int`.
  case uncountable
  /// Something may be repeated for ever.
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
