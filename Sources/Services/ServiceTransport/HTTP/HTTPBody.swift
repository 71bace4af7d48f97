import Foundation
import SpeechConcurrency

/// The body of a response, piece by piece as the server sends it.
///
/// A body is read once, by one task. Whoever reads slowly slows the server down; whoever lets go of it
/// before the end closes the connection. Reading throws `HTTPFailure`, and `CancellationError` when the
/// task is cancelled.
public struct HTTPBody: AsyncSequence, Sendable {
  /// Some bytes.
  public typealias Element = Data

  // On the caller's executor: to change executors for each piece, and for each event made of it, would
  // take longer than the work.
  package typealias Source = @Sendable (isolated (any Actor)?) async throws -> Data?

  private let source: Source

  /// A body that asks for its next piece, `nil` at the end. What the closure captures is let go with
  /// the body.
  public init(next: @escaping @Sendable () async throws -> Data?) {
    source = { _ in try await next() }
  }

  package init(source: @escaping Source) {
    self.source = source
  }

  /// The next piece, `nil` at the end: for readers that keep the body and not an iterator.
  package func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
    try await source(actor)
  }

  /// A body that is all there.
  public init(_ data: Data) {
    let rest = Guarded(data)
    source = { _ in
      try Task.checkCancellation()
      return rest.withLock { rest in
        defer { rest = Data() }
        return rest.isEmpty ? nil : rest
      }
    }
  }

  /// Reads the pieces.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var source: Source?

    /// The next piece, `nil` at the end and after an error.
    public mutating func next() async throws -> Data? {
      try await next(isolation: nil)
    }

    /// The next piece, `nil` at the end and after an error.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(any Error) -> Data? {
      guard let source else { return nil }
      // Let go first, so that an error ends it; taken back when there may be more.
      self.source = nil
      guard let piece = try await source(actor) else { return nil }
      self.source = source
      return piece
    }
  }

  /// Reads the pieces.
  public func makeAsyncIterator() -> Iterator {
    Iterator(source: source)
  }

  /// All of the body.
  ///
  /// - Parameter limit: the most bytes that are kept; the rest is not read.
  public func collected(upTo limit: Int = .max) async throws -> Data {
    var all = Data()
    for try await piece in self {
      all.append(piece.prefix(limit - all.count))
      if all.count >= limit { break }
    }
    return all
  }
}
