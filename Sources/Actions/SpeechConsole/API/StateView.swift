import AIServices
import Foundation
import SpeechActions

/// The values of an action or a connector by field, as the page shows and sends them.
typealias Form = [String: SendableValue]

/// The state that the page shows.
struct StateView: Encodable, Sendable {
  struct ConnectorView: Encodable, Sendable {
    var connector: Form
    var health: HealthView
    var trials: [TrialLog.Trial]
    /// True if the connector's key is stored.
    var hasKey: Bool
    /// The warning about a key that is sent without encryption.
    var keyWarning: String?
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

  /// The identifier of the configuration, which the page sends back with a change.
  var revision: String
  var defaultAction: String?
  var actions: [Form]
  var connectors: [ConnectorView]
  var runs: [RunRecord]
  var canSpeak: Bool
  var knownVariables: [String]
  var actionFields = FieldView.views(of: TextAction.self)
  var connectorFields = FieldView.views(of: Connector.self)
  /// The default values of a new action and of a new connector.
  var newAction = TextAction(defaultsFor: "").form
  var newConnector = Connector(defaultsFor: "").form
}
