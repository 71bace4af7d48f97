import AIServices
import Foundation
import SpeechConcurrency

/// A page in a browser.
public final class BrowserPage: Sendable {
  private struct State {
    var complaints: [String] = []
    var requests: [URL] = []
    /// The loads that are complete, by the browser's name for each.
    var loaded: Set<String> = []
  }

  private let browser: Browser
  private let session: String
  let context: String
  private let state = Guarded(State())
  private let changes = ChangeSignal()

  init(_ browser: Browser, session: String, context: String) {
    self.browser = browser
    self.session = session
    self.context = context
  }

  deinit {
    browser.connection.listen(to: session, nil)
  }

  func call<Value: Decodable & Sendable>(
    _ method: String, _ parameters: [String: SendableValue] = [:],
    as type: Value.Type = DevToolsConnection.Nothing.self
  ) async throws -> Value {
    try await browser.connection.call(
      method, parameters, session: session, through: browser.process, as: type)
  }

  func prepare() async throws {
    browser.connection.listen(to: session) { [weak self] in self?.note($0) }
    for domain in ["Page", "Runtime", "Network", "Log", "Accessibility"] {
      _ = try await call("\(domain).enable")
    }
    _ = try await call("Page.setLifecycleEventsEnabled", ["enabled": true])
    // As if its window were in front, wherever the other pages are.
    _ = try await call("Emulation.setFocusEmulationEnabled", ["enabled": true])
  }

  // MARK: What happens

  /// The errors and warnings in the console, uncaught exceptions, and requests that the content
  /// policy refused.
  public var complaints: [String] { state.withLock(\.complaints) }

  /// All requests of the page, beginning with the page itself.
  public var requests: [URL] { state.withLock(\.requests) }

  /// Forgets the complaints and requests so far.
  public func forget() {
    state.withLock { state in
      state.complaints = []
      state.requests = []
    }
  }

  private func note(_ event: DevToolsConnection.Event) {
    switch event.method {
    case "Page.lifecycleEvent":
      struct Step: Decodable {
        var loaderId: String
        var name: String
      }
      guard let step = event.parameters(Step.self), step.name == "load" else { return }
      state.withLock { _ = $0.loaded.insert(step.loaderId) }
      changes.notify()
    case "Network.requestWillBeSent":
      struct Sent: Decodable {
        struct Request: Decodable { var url: String }
        var request: Request
      }
      guard let url = event.parameters(Sent.self).flatMap({ URL(string: $0.request.url) })
      else { return }
      state.withLock { $0.requests.append(url) }
    case "Runtime.consoleAPICalled":
      struct Call: Decodable {
        struct Argument: Decodable {
          var value: SendableValue?
          var description: String?
        }
        var type: String
        var args: [Argument]
      }
      guard let call = event.parameters(Call.self),
        ["error", "warning", "assert"].contains(call.type)
      else { return }
      let words = call.args.map { $0.description ?? $0.value?.stringValue ?? "…" }
      complain("\(call.type): \(words.joined(separator: " "))")
    case "Runtime.exceptionThrown":
      struct Thrown: Decodable {
        struct Details: Decodable {
          struct Exception: Decodable { var description: String? }
          var text: String
          var exception: Exception?
        }
        var exceptionDetails: Details
      }
      guard let details = event.parameters(Thrown.self)?.exceptionDetails else { return }
      complain("exception: \(details.exception?.description ?? details.text)")
    case "Log.entryAdded":
      struct Added: Decodable {
        struct Entry: Decodable {
          var level: String
          var text: String
          var url: String?
        }
        var entry: Entry
      }
      guard let entry = event.parameters(Added.self)?.entry,
        ["error", "warning"].contains(entry.level)
      else { return }
      complain("\(entry.level): \(entry.text) \(entry.url ?? "")")
    default: return
    }
  }

  private func complain(_ text: String) {
    state.withLock { $0.complaints.append(text) }
  }

  // MARK: Going somewhere

  /// Opens an address and waits until the page and all its parts are there.
  ///
  /// - Throws: `BrowserError`, also when that takes too long.
  public func open(_ url: URL, within patience: Duration = .seconds(120)) async throws {
    struct Navigation: Decodable, Sendable {
      var loaderId: String?
      var errorText: String?
    }
    let navigation = try await call(
      "Page.navigate", ["url": .string(url.absoluteString)], as: Navigation.self)
    if let error = navigation.errorText {
      throw BrowserError("\(url.absoluteString) cannot be opened: \(error)")
    }
    // Without one, only the part behind the “#” has changed.
    guard let loader = navigation.loaderId else { return }
    let late = BrowserError("\(url.absoluteString) was not there within \(patience).")
    try await SpeechConcurrency.within(patience, on: .continuous, orThrow: late) { [self] in
      try await changes.wait(until: { state.withLock { $0.loaded.contains(loader) } })
    }
  }

  /// Opens a page that is given as a text, from a file of its own.
  public func open(html: String) async throws {
    let file = FileManager.default.temporaryDirectory
      .appending(path: "speechkit-page-\(UUID().uuidString).html")
    try html.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    try await open(file)
  }

  // MARK: Looking

  /// The value of a JavaScript expression; of a promise, what it comes to.
  @discardableResult
  public func evaluate<Value: Decodable & Sendable>(
    _ expression: String, as _: Value.Type = Value.self
  ) async throws -> Value {
    let evaluation = try await call(
      "Runtime.evaluate",
      [
        "expression": .string(expression), "returnByValue": true, "awaitPromise": true,
        "userGesture": true,
      ], as: Evaluation<Value>.self)
    guard let value = evaluation.value else {
      throw BrowserError("“\(expression)” has no value.")
    }
    return value
  }

  /// Has JavaScript carried out.
  public func run(_ statements: String) async throws {
    let _: Bool = try await evaluate("(async () => { \(statements) })().then(() => true)")
  }

  /// Waits until an expression is true. It is looked at whenever something has changed on the page.
  ///
  /// - Throws: `BrowserError` with what the page shows, when that takes too long.
  public func wait(for expression: String, within patience: Duration = .seconds(120)) async throws {
    let end = ContinuousClock.now + patience
    while true {
      do {
        let left = max(.zero, end - .now) / .milliseconds(1)
        let _: Bool = try await evaluate(Self.waiting(for: expression, milliseconds: Int(left)))
        return
      } catch let error as BrowserError where Self.isOfNavigation(error) && end > .now {
        // The page was left while it waited: the next one may be what is waited for.
        continue
      }
    }
  }

  private static func isOfNavigation(_ error: BrowserError) -> Bool {
    ["context was destroyed", "navigated or closed", "Cannot find context"]
      .contains { error.description.contains($0) }
  }

  private static func waiting(for expression: String, milliseconds: Int) -> String {
    """
    new Promise((resolve, reject) => {
      let last = "";
      const signs = ["input", "change", "focusin", "focusout", "click", "keyup", "load", "toggle",
        "popstate", "hashchange", "readystatechange", "close", "scroll"];
      const look = () => {
        try { if (\(expression)) { stop(); resolve(true); } } catch (error) { last = String(error); }
      };
      const observer = new MutationObserver(look);
      const timer = setTimeout(() => {
        stop();
        reject(new Error("Waited in vain for " + \(quoted(expression)) + ". " + last
          + "\\nThe page shows: " + (document.body ? document.body.innerText : "nothing")));
      }, \(milliseconds));
      const stop = () => {
        clearTimeout(timer);
        observer.disconnect();
        for (const sign of signs) removeEventListener(sign, look, true);
      };
      observer.observe(document,
        {subtree: true, childList: true, attributes: true, characterData: true});
      for (const sign of signs) addEventListener(sign, look, true);
      look();
    })
    """
  }

  /// A text as JavaScript.
  static func quoted(_ text: String) -> String {
    // Text is always encodable.
    (try? JSONEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
  }

  /// The colour scheme in which the page is shown.
  public enum ColourScheme: String, Sendable, CaseIterable {
    /// Dark on light.
    case light
    /// Light on dark.
    case dark
  }

  /// Shows the page in light or dark.
  public func show(in scheme: ColourScheme) async throws {
    let features: SendableValue = [
      ["name": "prefers-color-scheme", "value": .string(scheme.rawValue)]
    ]
    _ = try await call("Emulation.setEmulatedMedia", ["features": features])
  }

  /// Makes the window that large, in pixels.
  public func resize(width: Int, height: Int) async throws {
    _ = try await call(
      "Emulation.setDeviceMetricsOverride",
      [
        "width": .int(width), "height": .int(height), "deviceScaleFactor": 1, "mobile": false,
      ])
  }

  /// A picture of the whole page as PNG. It is kept under that name in the folder that the
  /// environment variable `SPEECHKIT_SCREENSHOTS` names, if it does.
  @discardableResult
  public func screenshot(_ name: String) async throws -> Data {
    struct Shot: Decodable, Sendable { var data: Data }
    struct Layout: Decodable, Sendable {
      struct Size: Decodable, Sendable {
        var width: Double
        var height: Double
      }
      var cssContentSize: Size
    }
    let size = try await call("Page.getLayoutMetrics", as: Layout.self).cssContentSize
    let shot = try await call(
      "Page.captureScreenshot",
      [
        "format": "png", "captureBeyondViewport": true,
        "clip": [
          "x": 0, "y": 0, "width": .double(size.width), "height": .double(size.height), "scale": 1,
        ],
      ], as: Shot.self)
    let environment = ProcessInfo.processInfo.environment
    if let path = environment["SPEECHKIT_SCREENSHOTS"], !path.isEmpty {
      let folder = URL(filePath: path)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try shot.data.write(to: folder.appending(path: "\(name).png"))
    }
    return shot.data
  }
}

private struct Evaluation<Value: Decodable & Sendable>: Decodable, Sendable {
  private enum CodingKeys: CodingKey { case result, exceptionDetails }
  private struct Outcome: Decodable { var value: Value? }
  private struct Details: Decodable {
    struct Exception: Decodable { var description: String? }
    var text: String
    var exception: Exception?
  }

  var value: Value?

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    // First, because the value of what failed is the error.
    if let details = try container.decodeIfPresent(Details.self, forKey: .exceptionDetails) {
      throw BrowserError(details.exception?.description ?? details.text)
    }
    value = try container.decode(Outcome.self, forKey: .result).value
  }
}
