import Foundation
import SpeechConcurrency

/// The switch that keeps a program on its own machine.
///
/// While it is on, nothing of the toolkit opens a network connection, not even to this machine; whatever
/// would have fails with an error that names what was wanted. The environment variable
/// `SPEECHKIT_OFFLINE=1` turns it on from the start.
///
/// ```swift
/// OfflineMode.shared.isOn = true
/// ```
public final class OfflineMode: Sendable {
  /// The switch for the whole program.
  public static let shared = OfflineMode(isOn: environmentDemandsIt)

  private let state: Guarded<Bool>

  /// A switch of its own, for those who inject it.
  public init(isOn: Bool = false) {
    state = Guarded(isOn)
  }

  /// Whether the network is off.
  public var isOn: Bool {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}

private var environmentDemandsIt: Bool {
  guard let value = ProcessInfo.processInfo.environment["SPEECHKIT_OFFLINE"] else { return false }
  return !["", "0", "false", "no"].contains(value.lowercased())
}
