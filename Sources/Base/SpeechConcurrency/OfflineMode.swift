import Foundation

/// A switch that forbids all network connections of the toolkit.
///
/// While it is on, the toolkit opens no connections, not even to this machine. Calls that need one
/// fail with an error that names the host. The environment variable `SPEECHKIT_OFFLINE=1` turns it
/// on at start.
///
/// ```swift
/// OfflineMode.shared.isOn = true
/// ```
public final class OfflineMode: Sendable {
  /// The switch for the whole program.
  public static let shared = OfflineMode(isOn: environmentDemandsIt)

  private let state: Guarded<Bool>

  /// Creates a separate switch, for injection.
  public init(isOn: Bool = false) {
    state = Guarded(isOn)
  }

  /// True while connections are forbidden.
  public var isOn: Bool {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}

private var environmentDemandsIt: Bool {
  guard let value = ProcessInfo.processInfo.environment["SPEECHKIT_OFFLINE"] else { return false }
  return !["", "0", "false", "no"].contains(value.lowercased())
}
