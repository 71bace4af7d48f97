import Foundation

/// An address of a server that speaks Engine.IO.
struct EngineIOAddress {
  /// Whether packets travel in requests.
  let isPolling: Bool
  /// The session that it belongs to; `nil` for one that is to begin.
  let sid: String?

  /// `nil` for any other address.
  init?(_ url: URL) {
    let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? []
    func value(_ name: String) -> String? { items.first { $0.name == name }?.value }
    guard value("EIO") == "4", let transport = value("transport") else { return nil }
    isPolling = transport == "polling"
    sid = value("sid")
  }

  /// The address without what carries the packets, as long as it is one of Engine.IO.
  static func plain(_ address: String) -> String {
    guard let url = URL(string: address), EngineIOAddress(url) != nil,
      var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
    else { return address }
    parts.queryItems = parts.queryItems?.filter { !["transport", "sid"].contains($0.name) }
    return parts.url?.absoluteString ?? address
  }
}
