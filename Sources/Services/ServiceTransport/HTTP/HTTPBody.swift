import Foundation
import SpeechConcurrency

/// The body of a response, as a sequence of pieces in the order of arrival.
///
/// A body is read once, by one task. Slow reading slows the server down; releasing the body before
/// its end closes the connection. Reading throws `HTTPFailure`, and `CancellationError` when the
/// task is cancelled.
public struct HTTPBody: AsyncSequence, Sendable {
  /// The next bytes of the body.
  public typealias Element = Data

  // On the caller's executor, because switching executors for each piece, and for each event made
  // of it, would take longer than the work.
  package typealias Source = @Sendable (isolated (any Actor)?) async throws -> Data?

  private let source: Source

  /// Creates a body from a closure that returns the next piece, or `nil` at the end. The closure is
  /// released with the body.
  public init(next: @escaping @Sendable () async throws -> Data?) {
    source = { _ in try await next() }
  }

  package init(source: @escaping Source) {
    self.source = source
  }

  /// The next piece, or `nil` at the end, for readers that keep the body instead of an iterator.
  package func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
    try await source(actor)
  }

  /// Creates a body from complete data.
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

  /// The iterator over the pieces of a body.
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
      // Released first, so that an error ends the iteration; restored if there may be more.
      self.source = nil
      guard let piece = try await source(actor) else { return nil }
      self.source = source
      return piece
    }
  }

  /// Starts reading the pieces of the body.
  public func makeAsyncIterator() -> Iterator {
    Iterator(source: source)
  }

  /// Reads the whole body.
  ///
  /// - Parameter limit: the maximum number of bytes; the rest is not read.
  public func collected(upTo limit: Int = .max) async throws -> Data {
    var all = Data()
    for try await piece in self {
      all.append(piece.prefix(limit - all.count))
      if all.count >= limit { break }
    }
    return all
  }
}
