import Foundation

/// A real browser without a window, for tests of pages: Debian's Chromium.
///
/// It looks up no name but those it is given, so a page that asks for something outside of this
/// machine gets nothing, and the request is seen in `BrowserPage.requests`.
///
/// ```swift
/// try await Browser.use { browser in
///   let page = try await browser.newPage()
///   try await page.open(url)
///   try await page.wait(for: "document.querySelector('h1')")
///   #expect(page.complaints.isEmpty)
/// }
/// ```
public final class Browser: Sendable {
  let connection: DevToolsConnection
  let process: BrowserProcess

  /// Starts a browser.
  ///
  /// - Parameter hosts: names that lead to this machine, as those of a foreign page may.
  /// - Throws: `BrowserError`, which says what to install where there is no browser.
  public init(hosts: [String] = []) throws {
    let connection = DevToolsConnection()
    self.connection = connection
    process = try BrowserProcess(
      hostRules: hosts.map { "MAP \($0) 127.0.0.1" }, onMessage: { connection.receive($0) },
      onEnd: { connection.end() })
  }

  deinit {
    process.hangUp()
  }

  /// Starts a browser, and ends it after the work.
  public static func use<Result>(
    hosts: [String] = [], _ work: (Browser) async throws -> Result
  ) async throws -> Result {
    let browser = try Browser(hosts: hosts)
    do {
      let result = try await work(browser)
      await browser.close()
      return result
    } catch {
      await browser.close()
      throw error
    }
  }

  /// An empty page, with cookies of its own unless they are another page's.
  public func newPage(sharingCookiesWith other: BrowserPage? = nil) async throws -> BrowserPage {
    struct Context: Decodable, Sendable { var browserContextId: String }
    struct Target: Decodable, Sendable { var targetId: String }
    struct Session: Decodable, Sendable { var sessionId: String }
    let context =
      if let other {
        other.context
      } else {
        try await connection.call(
          "Target.createBrowserContext", through: process, as: Context.self
        ).browserContextId
      }
    // Where there is a window the browser asks nobody about it; without one it refuses.
    _ = try await connection.call(
      "Browser.grantPermissions",
      ["permissions": ["clipboardSanitizedWrite"], "browserContextId": .string(context)],
      through: process)
    let target = try await connection.call(
      "Target.createTarget",
      ["url": "about:blank", "browserContextId": .string(context)], through: process,
      as: Target.self)
    let session = try await connection.call(
      "Target.attachToTarget", ["targetId": .string(target.targetId), "flatten": true],
      through: process, as: Session.self)
    let page = BrowserPage(self, session: session.sessionId, context: context)
    try await page.prepare()
    return page
  }

  /// Ends it, and waits until nothing of it is left.
  public func close() async {
    await process.close()
  }
}
