import Foundation
import SpeechConcurrency

/// Decides who may come in: the browser that was shown the link, and no page but the console's own.
///
/// Three things are looked at before a request is. Its `Host` has to be one of this machine's own names, so
/// that a foreign name that was made to lead here opens nothing. Where the browser says which page asks
/// (`Origin`, `Sec-Fetch-Site`), it has to be a page of the console. And it has to bring the cookie that is
/// given for the token of the link, once.
final class Gatekeeper: Sendable {
  /// What becomes of a request.
  enum Verdict: Equatable {
    /// It goes on.
    case admitted
    /// It brought the token, and gets this cookie.
    case entered(cookie: String)
    /// It gets nothing but a status and a sentence.
    case refused(Int, String)
  }

  static let entrance = "/enter"

  let token: String
  private let port: Int
  private let session: String
  private let isTokenUsed = OnceFlag()

  init(port: Int, token: String = Secret.make(), session: String = Secret.make()) {
    self.port = port
    self.token = token
    self.session = session
  }

  /// The names of this machine that the console answers to.
  private var hosts: [String] { ["127.0.0.1:\(port)", "localhost:\(port)", "[::1]:\(port)"] }

  /// Cookies are shared by all ports of a host, so each console has a name of its own for it.
  var cookieName: String { "speechkit-console-\(port)" }

  func verdict(on request: ConsoleRequest) -> Verdict {
    guard let host = request.value("Host"), hosts.contains(host.lowercased()) else {
      return .refused(421, "This is not the address of the console.")
    }
    guard ["GET", "POST"].contains(request.method) else {
      return .refused(405, "The console knows GET and POST.")
    }
    let isEntrance = request.path == Self.entrance && request.method == "GET"
    if let refusal = foreignness(of: request, host: host.lowercased(), isEntrance: isEntrance) {
      return refusal
    }
    if isEntrance { return entry(request) }
    guard hasCookie(request) else {
      return .refused(401, "Open the link that “speechkit console” has shown.")
    }
    return .admitted
  }

  private func foreignness(
    of request: ConsoleRequest, host: String, isEntrance: Bool
  ) -> Verdict? {
    let foreign = Verdict.refused(403, "Another page asks, and gets nothing.")
    let origins = request.values("Origin")
    guard origins.allSatisfy({ $0.lowercased() == "http://\(host)" }), origins.count <= 1 else {
      return foreign
    }
    let sites = request.values("Sec-Fetch-Site")
    if request.method == "POST" {
      guard !origins.isEmpty, sites.allSatisfy({ $0 == "same-origin" }) else { return foreign }
    } else if !isEntrance {
      // Who brings the token may come from anywhere: from a file that holds the link, say.
      guard sites.allSatisfy({ $0 == "same-origin" || $0 == "none" }) else { return foreign }
    }
    return nil
  }

  private func entry(_ request: ConsoleRequest) -> Verdict {
    guard let given = request.token, Secret.isSame(given, token) else {
      return .refused(
        403, "This link leads nowhere. Open the one that “speechkit console” has shown.")
    }
    // What a browser fetches before anybody has asked for it must not use up the link.
    guard request.values("Sec-Purpose").isEmpty else { return .refused(403, "Not yet.") }
    if hasCookie(request) { return .entered(cookie: cookie) }
    guard isTokenUsed.raise() else {
      return .refused(
        403, "This link has been used. Start “speechkit console” anew for another one.")
    }
    return .entered(cookie: cookie)
  }

  private var cookie: String {
    "\(cookieName)=\(session); HttpOnly; SameSite=Strict; Path=/; Max-Age=86400"
  }

  private func hasCookie(_ request: ConsoleRequest) -> Bool {
    request.values("Cookie").contains { line in
      line.split(separator: ";").contains { part in
        let pair = part.split(separator: "=", maxSplits: 1).map {
          $0.trimmingCharacters(in: .whitespaces)
        }
        return pair.count == 2 && pair[0] == cookieName && Secret.isSame(pair[1], session)
      }
    }
  }
}
