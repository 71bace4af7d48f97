import Foundation

/// A request to the console.
struct ConsoleRequest: Sendable {
  var method: String
  /// The path as it came, with nothing decoded.
  var path: String
  /// All header fields in order, as they came.
  var headers: [(name: String, value: String)]
  /// The parameter `token` of the query.
  var token: String?
  var body = Data()

  /// All values of a header field.
  func values(_ name: String) -> [String] {
    headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
  }

  /// The value of a header field that comes once.
  func value(_ name: String) -> String? {
    let values = values(name)
    return values.count == 1 ? values[0] : nil
  }
}
