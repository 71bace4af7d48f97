import Foundation

struct ConsoleRequest: Sendable {
  var method: String
  /// The path without decoding.
  var path: String
  /// All header fields in their original order.
  var headers: [(name: String, value: String)]
  /// The parameter `token` of the query.
  var token: String?
  var body = Data()

  func values(_ name: String) -> [String] {
    headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
  }

  /// Returns the value of a header field that occurs once.
  func value(_ name: String) -> String? {
    let values = values(name)
    return values.count == 1 ? values[0] : nil
  }
}
