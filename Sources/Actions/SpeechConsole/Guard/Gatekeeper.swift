import Foundation
import SpeechConcurrency

/// Controls access: admits the browser that opened the link, and only from the console's own page.
///
/// Every request is checked in three ways. Its `Host` must be a loopback name, so that a foreign
/// name that resolves to this machine has no access. If the browser names the requesting page
/// (`Origin`, `Sec-Fetch-Site`), it must be a page of the console. And it must carry the cookie
/// that is issued once, for the token of the link.
final class Gatekeeper: Sendable {
  enum Verdict: Equatable {
    case admitted
    /// The request has the token, and receives this cookie.
    case entered(cookie: String)
    /// The request is refused with a status and a sentence.
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

  /// The loopback names that the console answers to.
  private var hosts: [String] { ["127.0.0.1:\(port)", "localhost:\(port)", "[::1]:\(port)"] }

  /// All ports of a host share cookies, so each console has a cookie name of its own.
  var cookieName: String { "speechkit-console-\(port)" }

  func verdict(on request: ConsoleRequest) -> Verdict {
    guard let host = request.value("Host"), hosts.contains(host.lowercased()) else {
      return .refused(421, "This is not the address of the console.")
    }
    guard ["GET", "POST"].contains(request.method) else {
      return .refused(405, "The console supports GET and POST.")
    }
    let isEntrance = request.path == Self.entrance && request.method == "GET"
    if let refusal = foreignness(of: request, host: host.lowercased(), isEntrance: isEntrance) {
      return refusal
    }
    if isEntrance { return entry(request) }
    guard hasCookie(request) else {
      return .refused(401, "Open the link that “speechkit console” printed.")
    }
    return .admitted
  }

  private func foreignness(
    of request: ConsoleRequest, host: String, isEntrance: Bool
  ) -> Verdict? {
    let foreign = Verdict.refused(403, "Requests from other pages are refused.")
    let origins = request.values("Origin")
    guard origins.allSatisfy({ $0.lowercased() == "http://\(host)" }), origins.count <= 1 else {
      return foreign
    }
    let sites = request.values("Sec-Fetch-Site")
    if request.method == "POST" {
      guard !origins.isEmpty, sites.allSatisfy({ $0 == "same-origin" }) else { return foreign }
    } else if !isEntrance {
      // A request with the token may come from anywhere, such as a file with the link.
      guard sites.allSatisfy({ $0 == "same-origin" || $0 == "none" }) else { return foreign }
    }
    return nil
  }

  private func entry(_ request: ConsoleRequest) -> Verdict {
    guard let given = request.token, Secret.isSame(given, token) else {
      return .refused(
        403, "This link is not valid. Open the one that “speechkit console” printed.")
    }
    // A prefetch by the browser must not use up the link.
    guard request.values("Sec-Purpose").isEmpty else {
      return .refused(403, "Prefetching is not allowed.")
    }
    if hasCookie(request) { return .entered(cookie: cookie) }
    guard isTokenUsed.raise() else {
      return .refused(
        403, "This link has been used. Restart “speechkit console” for a new one.")
    }
    return .entered(cookie: cookie)
  }

  private var cookie: String {
    "\(cookieName)=\(session); HttpOnly; SameSite=Strict; Path=/; Max-Age=86400"
  }

  /// True if the request carries the cookie of this console.
  func hasCookie(_ request: ConsoleRequest) -> Bool {
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
