import AIServices
import Foundation

/// A request as it arrived at a `LoopbackServer`.
public struct RecordedRequest: Sendable {
  /// The number of the connection that it came over, counted from 1.
  public let connection: Int
  /// What is asked for, like `POST`.
  public let method: String
  /// The target as it was sent, with the query.
  public let target: String
  /// The header fields in order, with their names as they were sent.
  public let headers: HTTPHeaders
  /// The first line and the header fields, byte for byte.
  public let head: Data
  /// What was sent, without the framing of chunks.
  public let body: Data

  /// The target without the query.
  public var path: String { String(target.prefix { $0 != "?" }) }

  /// The query, empty without one.
  public var query: String { String(target.drop { $0 != "?" }.dropFirst()) }

  /// The body as text.
  public var text: String { String(decoding: body, as: UTF8.self) }
}
