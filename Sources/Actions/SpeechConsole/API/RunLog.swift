import Foundation
import SpeechActions
import SpeechConcurrency

/// Recent runs and tests, in memory for as long as the console is open.
final class RunLog: Sendable {
  struct Run: Encodable, Sendable {
    var action: String
    var actionName: String
    /// The beginning of the text; empty for an action whose text is private.
    var text: String
    var date: Date
    var milliseconds: Int
    var cost: Double?
    var answered: [String]
    var error: String?
  }

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

  private struct State {
    var runs: [Run] = []
    var trials: [String: [Trial]] = [:]
  }

  private let state = Guarded(State())

  /// The runs, newest first.
  var runs: [Run] { state.withLock(\.runs) }

  /// Returns the tests of a connector, newest first.
  func trials(of connector: String) -> [Trial] { state.withLock { $0.trials[connector] ?? [] } }

  func note(_ run: Run) {
    state.withLock { $0.runs = Array(([run] + $0.runs).prefix(Self.longest)) }
  }

  func note(_ trial: Trial, of connector: String) {
    state.withLock { state in
      state.trials[connector] = Array(
        ([trial] + (state.trials[connector] ?? [])).prefix(Self.longest))
    }
  }
}
