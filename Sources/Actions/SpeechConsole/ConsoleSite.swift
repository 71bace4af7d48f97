import Foundation

/// The paths of the console, with access control.
final class ConsoleSite: RequestHandler {
  private let gatekeeper: Gatekeeper
  private let api: ConsoleAPI

  init(_ services: ConsoleServices, gatekeeper: Gatekeeper, limits: ConsoleLimits) {
    self.gatekeeper = gatekeeper
    api = ConsoleAPI(services, limits: limits)
  }

  func immediateAnswer(to head: ConsoleRequest) -> ConsoleResponse? {
    switch gatekeeper.verdict(on: head) {
    case .refused(let status, let reason): return .text(status, reason)
    case .entered(let cookie): return Self.welcome(cookie)
    case .admitted: break
    }
    if head.method == "GET", let asset = ConsoleAssets.all[head.path] {
      return ConsoleResponse(200, type: asset.type, asset.data)
    }
    guard api.knows(head.method, head.path) else { return .text(404, "There is no such page.") }
    guard head.method != "POST" || head.isJSON else {
      return .text(415, "The console accepts JSON only.")
    }
    return nil
  }

  func response(to request: ConsoleRequest) async -> ConsoleResponse {
    await api.response(to: request)
  }

  /// A page instead of a redirect: the cookie is not sent with a redirect that began at another
  /// site, such as a file with the link.
  private static func welcome(_ cookie: String) -> ConsoleResponse {
    var response = ConsoleResponse(
      200, type: "text/html; charset=utf-8",
      Data(
        """
        <!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>SpeechKit</title>
        <meta http-equiv="refresh" content="0;url=/"><p><a href="/">Open the console</a></p></html>

        """.utf8))
    response.headers.append(("Set-Cookie", cookie))
    return response
  }
}

extension ConsoleRequest {
  fileprivate var isJSON: Bool {
    value("Content-Type")?.lowercased().split(separator: ";").first?
      .trimmingCharacters(in: .whitespaces) == "application/json"
  }
}
