import SpeechActions
import SpeechConcurrency

/// The states of the configuration that pages were shown lately, to tell what a page changed from what
/// others did meanwhile.
final class RecentStates: Sendable {
  private static let longest = 16

  private let snapshots = Guarded<[ConfigurationSnapshot]>([])

  func note(_ snapshot: ConfigurationSnapshot) {
    snapshots.withLock { snapshots in
      snapshots.removeAll { $0.revision == snapshot.revision }
      snapshots.append(snapshot)
      if snapshots.count > Self.longest { snapshots.removeFirst() }
    }
  }

  /// - Throws: `APIError` for one that is too old.
  func snapshot(_ revision: String) throws -> ConfigurationSnapshot {
    let found = snapshots.withLock { $0.last { $0.revision == revision } }
    guard let found else {
      throw APIError(
        409,
        "This page is older than what the console remembers. Load it again and repeat the change.")
    }
    return found
  }
}
