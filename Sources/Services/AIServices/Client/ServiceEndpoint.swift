import Foundation

/// The address of a service, and the options of all its requests.
public struct ServiceEndpoint: Sendable {
  /// The way in which the key is sent.
  public enum Authentication: Sendable, Hashable {
    /// No key is sent.
    case none
    /// In the header `Authorization: Bearer …`.
    case bearer
    /// In a header with that name.
    case header(String)
  }

  /// The base address for the paths of calls.
  public var baseURL: String
  /// The way in which the key is sent.
  public var authentication: Authentication
  /// The header fields of every request.
  public var headers: [String: String]
  /// The query items of every request.
  public var query: [String: String]
  /// The timeouts of a request.
  public var timeouts: HTTPTimeouts
  /// True if the transport itself may repeat a billable request when a kept connection turns out to
  /// be closed. The server may then have processed both. Otherwise that is an error, and the retry
  /// policy decides.
  public var allowsSilentRepeat: Bool

  /// Creates an endpoint for a base address.
  public init(
    baseURL: String, authentication: Authentication = .bearer, headers: [String: String] = [:],
    query: [String: String] = [:], timeouts: HTTPTimeouts = HTTPTimeouts(),
    allowsSilentRepeat: Bool = false
  ) {
    self.baseURL = baseURL
    self.authentication = authentication
    self.headers = headers
    self.query = query
    self.timeouts = timeouts
    self.allowsSilentRepeat = allowsSilentRepeat
  }

  /// The host of the base address in lower case; empty if there is none.
  public var host: String {
    URLComponents(string: baseURL)?.host?.lowercased() ?? ""
  }

  /// True if the base address is on this machine.
  package var isLoopback: Bool { URL(string: baseURL)?.isLoopback ?? false }

  private static let allowedInPath = CharacterSet.urlPathAllowed.union(
    CharacterSet(charactersIn: "%"))

  /// Encodes a name as a single path segment, whatever characters it contains.
  public static func segment(_ name: String) -> String {
    let plain = CharacterSet(
      charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_~.:")
    let encoded = name.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    // Two dots would lead to the parent, even if encoded.
    return encoded.allSatisfy { $0 == "." } ? encoded + "%20" : encoded
  }

  /// The address of a call.
  ///
  /// - Parameter path: the path relative to the base address, with external names encoded by
  ///   `segment`.
  /// - Throws: `AIServiceError.configurationError` if the base address is not valid.
  package func url(
    path: String, query items: [(String, String)] = []
  ) throws(AIServiceError) -> URL {
    guard var components = URLComponents(string: baseURL),
      let scheme = components.scheme?.lowercased(), ["http", "https"].contains(scheme),
      let host = components.host, !host.isEmpty
    else {
      // Not shown if it may contain a password.
      let shown = baseURL.contains("@") ? "The address given" : "“\(baseURL)”"
      throw .configurationError(
        "\(shown) is not a valid address of a service. Use for example https://host/v1.")
    }
    guard components.user == nil, components.password == nil, components.fragment == nil else {
      throw .configurationError(
        "The address of \(host) contains a user, a password or a fragment. Remove them; "
          + "keys belong in the credential store.")
    }
    let encoded = path.addingPercentEncoding(withAllowedCharacters: Self.allowedInPath) ?? ""
    components.percentEncodedPath =
      (components.percentEncodedPath + "/" + encoded).split(separator: "/")
      .reduce(into: "") { $0 += "/" + $1 }
    let all =
      (components.queryItems ?? [])
      + query.sorted { $0.key < $1.key }.map { URLQueryItem(name: $0.key, value: $0.value) }
      + items.map { URLQueryItem(name: $0.0, value: $0.1) }
    components.queryItems = all.isEmpty ? nil : all
    // Many servers read a plus sign as a space, and Foundation does not escape it.
    components.percentEncodedQuery = components.percentEncodedQuery?
      .replacingOccurrences(of: "+", with: "%2B")
    guard let url = components.url else {
      throw .configurationError("“\(baseURL)” and “\(path)” do not form a valid address.")
    }
    return url
  }
}
