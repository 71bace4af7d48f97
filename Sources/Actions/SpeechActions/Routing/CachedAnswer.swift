import AIServices
import Foundation

/// An answer in the cache.
public struct CachedAnswer: Sendable, Hashable {
  /// The connector that answered.
  public var connector: String
  /// The answer without post-processing.
  public var text: String
  /// The usage of the original request.
  public var usage: ServiceUsage
  /// The time of the answer.
  public var date: Date
  /// The time after which no run uses the answer.
  public var expiry: Date

  /// Creates an answer of a connector.
  public init(connector: String, text: String, usage: ServiceUsage, date: Date, expiry: Date) {
    self.connector = connector
    self.text = text
    self.usage = usage
    self.date = date
    self.expiry = expiry
  }
}
