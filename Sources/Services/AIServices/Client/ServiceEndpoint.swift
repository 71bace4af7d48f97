import Foundation

/// Where a service is and how it wants to be spoken to.
public struct ServiceEndpoint: Sendable {
  /// How the key is shown to the service.
  public enum Authentication: Sendable, Hashable {
    /// Not at all.
    case none
    /// `Authorization: Bearer …`.
    case bearer
    /// In a header of that name.
    case header(String)
  }

  /// The address that the paths of calls are joined to.
  public var baseURL: String
  /// How the key is shown.
  public var authentication: Authentication
  /// Header fields of every request.
  public var headers: [String: String]
  /// Query items of every request.
  public var query: [String: String]
  /// How long a request may take.
  public var timeouts: HTTPTimeouts
  /// Whether the transport itself may send a request that costs money a second time, when a kept
  /// connection turns out to be closed. A server may then have worked on both. Otherwise that is an error,
  /// and the retry policy decides.
  public var allowsSilentRepeat: Bool

  /// An endpoint.
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

  /// The host of the base address in lower case, empty if there is none.
  public var host: String {
    URLComponents(string: baseURL)?.host?.lowercased() ?? ""
  }

  /// Whether the base address is this machine's own.
  package var isLoopback: Bool { URL(string: baseURL)?.isLoopback ?? false }

  private static let allowedInPath = CharacterSet.urlPathAllowed.union(
    CharacterSet(charactersIn: "%"))

  /// A name as one segment of a path, whatever it holds: slashes, blanks, dots.
  public static func segment(_ name: String) -> String {
    let plain = CharacterSet(
      charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_~.:")
    let encoded = name.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    // Two dots would lead a level up, also encoded.
    return encoded.allSatisfy { $0 == "." } ? encoded + "%20" : encoded
  }

  /// The address of a call.
  ///
  /// - Parameter path: the path behind the base address, with names from outside as `segment`.
  /// - Throws: `AIServiceError.configurationError` when the base address cannot be one.
  public func url(
    path: String, query items: [(String, String)] = []
  ) throws(AIServiceError) -> URL {
    guard var components = URLComponents(string: baseURL),
      let scheme = components.scheme?.lowercased(), ["http", "https"].contains(scheme),
      let host = components.host, !host.isEmpty
    else {
      // Not shown where a password may be in it.
      let shown = baseURL.contains("@") ? "The address given" : "“\(baseURL)”"
      throw .configurationError(
        "\(shown) is no address of a service. It has to look like https://host/v1.")
    }
    guard components.user == nil, components.password == nil, components.fragment == nil else {
      throw .configurationError(
        "The address of \(host) holds a user, a password or a fragment. Leave them out; keys belong "
          + "into the credential store.")
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
    // A plus sign means a blank to many servers, and Foundation leaves it as it is.
    components.percentEncodedQuery = components.percentEncodedQuery?
      .replacingOccurrences(of: "+", with: "%2B")
    guard let url = components.url else {
      throw .configurationError("“\(baseURL)” and “\(path)” do not make an address.")
    }
    return url
  }
}
