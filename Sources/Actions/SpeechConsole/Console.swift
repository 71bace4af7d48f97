import Foundation

/// A web page for configuring and running actions, and for testing connectors.
///
/// It is served on the loopback addresses of this machine only. The first browser that opens `url`
/// has access, once; other pages and other host names have none.
///
/// ```swift
/// let console = try Console(services)
/// print("Open \(console.url)")
/// try await Task.sleep(for: .seconds(3_600))
/// console.stop()
/// ```
public final class Console: Sendable {
  /// The port of the server.
  public let port: Int
  /// The link to the page, which works once.
  public let url: URL

  private let listener: HTTPListener

  /// Starts the server of a console.
  ///
  /// - Parameter port: The port; 0 for any free one.
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
    listener = try HTTPListener(
      place, limits: limits,
      handler: ConsoleAPI(services, gatekeeper: gatekeeper, limits: limits))
  }

  deinit {
    listener.stop()
  }

  /// Ends all work and closes the port without waiting for clients.
  public func stop() {
    listener.stop()
  }
}
