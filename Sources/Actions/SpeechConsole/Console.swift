import Foundation

/// A page in the browser on which actions are defined, connectors tried, and texts worked on.
///
/// It is served on this machine's own addresses only. Whoever opens `url` first gets in, once; no other page
/// and no other name that leads here does.
///
/// ```swift
/// let console = try Console(services)
/// print("Open \(console.url)")
/// try await Task.sleep(for: .seconds(3_600))
/// console.stop()
/// ```
public final class Console: Sendable {
  /// The port that it is served on.
  public let port: Int
  /// The link that leads in, once.
  public let url: URL

  private let listener: HTTPListener
  private let site: ConsoleSite

  /// Serves a console.
  ///
  /// - Parameter port: where; 0 for any port that is free.
  /// - Throws: `ConsoleError`.
  public init(
    _ services: ConsoleServices, port: Int = 0, limits: ConsoleLimits = ConsoleLimits()
  ) throws(ConsoleError) {
    let place = try LoopbackPort(port)
    self.port = place.number
    let gatekeeper = Gatekeeper(port: place.number)
    guard
      let url = URL(
        string:
          "http://127.0.0.1:\(place.number)\(Gatekeeper.entrance)?token=\(gatekeeper.token)")
    else { throw .noServer }
    self.url = url
    site = ConsoleSite(services, gatekeeper: gatekeeper, limits: limits)
    listener = try HTTPListener(place, limits: limits, handler: site)
  }

  deinit {
    listener.stop()
  }

  /// Ends all that is under way, and closes the port. Does not wait for anybody.
  public func stop() {
    listener.stop()
  }
}
