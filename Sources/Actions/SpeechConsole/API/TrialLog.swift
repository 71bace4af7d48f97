import Foundation
import SpeechActions
import SpeechConcurrency

/// Recent tests of connectors, in memory for as long as the console is open.
final class TrialLog: Sendable {
  struct Trial: Encodable, Sendable {
    var date: Date
    var isGood: Bool
    var verdict: String
    var message: String
    /// Some of the models that the service lists.
    var models: [String]
    var milliseconds: Int?
  }

  private static let longest = 20

  private let trials = Guarded<[String: [Trial]]>([:])

  /// Returns the tests of a connector, newest first.
  func trials(of connector: String) -> [Trial] { trials.withLock { $0[connector] ?? [] } }

  func note(_ trial: Trial, of connector: String) {
    trials.withLock { trials in
      trials[connector] = Array(([trial] + (trials[connector] ?? [])).prefix(Self.longest))
    }
  }
}
