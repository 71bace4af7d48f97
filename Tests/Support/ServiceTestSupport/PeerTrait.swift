import TestSupport
import Testing

extension Trait where Self == ConditionTrait {
  /// Requires a server in Python.
  package static var needsPeers: Self {
    .enabled(if: Peers.areExpected, "\(Peers.areMissing)")
  }
}
