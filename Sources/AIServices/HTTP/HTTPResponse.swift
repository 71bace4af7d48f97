import Foundation
import SpeechConcurrency

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

  /// Asks for the next piece; `nil` at the end.
  package let next: @Sendable () async throws -> Data?

  /// A body that asks for its next piece, `nil` at the end. What the closure captures is let go with
  /// the body.
  public init(next: @escaping @Sendable () async throws -> Data?) {
    self.next = next
  }

  /// A body that is all there.
  public init(_ data: Data) {
    let isRead = OnceFlag()
    next = { !data.isEmpty && isRead.raise() ? data : nil }
  }

  /// Reads the pieces.
  public func makeAsyncIterator() -> Iterator { Iterator(read: next) }

  /// Reads the pieces of a body.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let read: @Sendable () async throws -> Data?

    /// The next piece, `nil` at the end.
    public mutating func next() async throws -> Data? { try await read() }
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
