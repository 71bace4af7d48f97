import Foundation

/// The name of a recogniser or a voice in a catalogue: `NAME[:VARIANT][@SERVER]`.
///
/// ```swift
/// let name = BackendName("openai:whisper-1@http://localhost:8000/v1")
/// name.entry     // “openai”
/// name.variant   // “whisper-1”
/// ```
/// The variant is whatever the backend distinguishes: a voice, a model, a preset. It may contain
/// colons and at signs; a server begins with `@http://` or `@https://`.
package struct BackendName: Sendable, Hashable, CustomStringConvertible {
  /// The name of the entry: `flite`, `openai`.
  package var entry: String
  /// The voice, model or preset; empty for the backend's default.
  package var variant: String
  /// The address of another server of the service's kind; `nil` for the service's own.
  package var server: URL?

  package init(entry: String, variant: String = "", server: URL? = nil) {
    self.entry = entry
    self.variant = variant
    self.server = server
  }

  /// Splits a text into the parts of a name.
  ///
  /// - Throws: `SpeechCatalogError.invalidServer` if the server is not an address.
  package init(_ text: String) throws(SpeechCatalogError) {
    var name = text
    var server: URL?
    if let place = ["@http://", "@https://"].lazy.compactMap({ text.range(of: $0) }).first {
      name = String(text[..<place.lowerBound])
      let address = String(text[text.index(after: place.lowerBound)...])
      guard let url = URL(string: address), url.host() != nil else {
        throw .invalidServer(address)
      }
      server = url
    }
    let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      .map(String.init)
    self.init(entry: parts[0], variant: parts.count == 2 ? parts[1] : "", server: server)
  }

  /// The name as text, as `init(_:)` parses it.
  package var text: String { joined(server?.absoluteString) }

  /// The name as text, without the user name, password and query of the server's address.
  package var description: String { joined(server?.withoutSecrets) }

  private func joined(_ server: String?) -> String {
    entry + (entry.isEmpty || variant.isEmpty ? "" : ":") + variant
      + (server.map { "@\($0)" } ?? "")
  }
}

extension URL {
  /// The address without its user name, password, query and fragment.
  package var withoutSecrets: String {
    guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: false) else { return "" }
    (parts.user, parts.password, parts.query, parts.fragment) = (nil, nil, nil, nil)
    return parts.string ?? ""
  }
}
