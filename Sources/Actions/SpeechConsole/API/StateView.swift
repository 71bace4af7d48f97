import AIServices
import Foundation
import SpeechActions

/// All that the page shows of what is configured.
struct StateView: Encodable, Sendable {
  struct ConnectorView: Encodable, Sendable {
    var connector: ConnectorForm
    var health: HealthView
    var trials: [RunLog.Trial]
    /// Whether there is a key of the name that it asks for.
    var hasKey: Bool
  }

  struct HealthView: Encodable, Sendable {
    var state: String
    var lastMilliseconds: Int?
    var successes: Int
    var failures: Int
    var lastError: String?
    var cost: Double

    init(_ health: ConnectorHealth) {
      state =
        switch health.state {
        case .working: "working"
        case .suspended(let time): "paused for \(Int((time / .seconds(1)).rounded(.up))) s"
        case .onTrial: "on trial"
        }
      lastMilliseconds = health.lastLatency?.wholeMilliseconds
      successes = health.successes
      failures = health.failures
      lastError = health.lastError?.localizedDescription
      cost = health.cost
    }
  }

  /// The state of the file that this is; to be sent back with a change.
  var revision: String
  var defaultAction: String?
  var actions: [ActionForm]
  var connectors: [ConnectorView]
  var runs: [RunLog.Run]
  var canSpeak: Bool
  var knownVariables: [String]
}
