import Foundation

/// What a server answers: the head at once, the body as it comes.
public struct HTTPResponse: Sendable {
  /// The status code.
  public let status: Int
  /// The header fields.
  public let headers: HTTPHeaders
  /// The body, to be read once.
  public let body: HTTPBody

  /// A response.
  public init(status: Int, headers: HTTPHeaders, body: HTTPBody) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// The body of a response, piece by piece as the server sends it.
///
/// A body is read once, by one task. Whoever reads slowly slows the server down; whoever stops reading
/// before the end closes the connection. Reading throws `HTTPFailure`, and `CancellationError` when the
/// task is cancelled.
public struct HTTPBody: AsyncSequence, Sendable {
  /// Some bytes.
  public typealias Element = Data

  private let pieces: AsyncThrowingStream<Data, any Error>

  /// A body that asks for its next piece, `nil` at the end. What the closure captures is let go with
  /// the body.
  public init(next: @escaping @Sendable () async throws -> Data?) {
    pieces = AsyncThrowingStream(unfolding: next)
  }

  /// A body that is all there.
  public init(_ data: Data) {
    pieces = AsyncThrowingStream { continuation in
      if !data.isEmpty { continuation.yield(data) }
      continuation.finish()
    }
  }

  /// Reads the pieces.
  public func makeAsyncIterator() -> AsyncThrowingStream<Data, any Error>.Iterator {
    pieces.makeAsyncIterator()
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
