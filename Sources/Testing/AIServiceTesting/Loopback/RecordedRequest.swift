import AIServices
import Foundation

/// A request as it arrived at a `LoopbackServer`.
public struct RecordedRequest: Sendable {
  /// The number of the connection, counted from 1.
  public let connection: Int
  /// The method, like `POST`.
  public let method: String
  /// The target as it was sent, with the query.
  public let target: String
  /// The header fields in order, with their original names.
  public let headers: HTTPHeaders
  /// The request line and the header fields, byte for byte.
  public let head: Data
  /// The body, without the framing of chunks.
  public internal(set) var body = Data()

  /// The target without the query.
  public var path: String { String(target.prefix { $0 != "?" }) }

  /// The query; empty if there is none.
  public var query: String { String(target.drop { $0 != "?" }.dropFirst()) }

  /// The body as text.
  public var text: String { String(decoding: body, as: UTF8.self) }
}
