import Foundation
import SpeechActions

/// A step of a run as the page hears of it: one server-sent event.
struct RunEventView: Encodable, Sendable {
  var event: String
  var id: String?
  var connector: String?
  var text: String?
  var error: String?
  var reason: String?
  var milliseconds: Int?
  var firstMilliseconds: Int?
  var inputTokens: Int?
  var outputTokens: Int?
  var cost: Double?
  var isCached: Bool?
  var isCutOff: Bool?
  /// Who answered, at the end.
  var answers: [String]?

  init(_ step: RunEvent) {
    switch step {
    case .started(let connector):
      event = "started"
      self.connector = connector
    case .text(let connector, let piece):
      event = "text"
      self.connector = connector
      text = piece
    case .finished(let connector, let answer):
      event = "finished"
      self.connector = connector
      text = answer.structured?.rendered ?? answer.text
      milliseconds = Self.milliseconds(answer.latency)
      firstMilliseconds = answer.firstText.map(Self.milliseconds)
      inputTokens = answer.usage.inputTokens
      outputTokens = answer.usage.outputTokens
      cost = answer.cost
      isCached = answer.isCached
      isCutOff = answer.isCutOff
    case .failed(let connector, let failure):
      event = "failed"
      self.connector = connector
      error = failure.error.localizedDescription
      milliseconds = Self.milliseconds(failure.latency)
      cost = failure.cost
    case .cancelled(let connector, let reason):
      event = "cancelled"
      self.connector = connector
      self.reason = reason.rawValue
    case .completed(let outcome):
      event = "completed"
      error = outcome.error?.localizedDescription
      milliseconds = Self.milliseconds(outcome.latency)
      cost = outcome.cost
      answers = outcome.answers.map(\.connector)
    }
  }

  /// Something has begun and can be stopped by that name.
  init(begun work: String) {
    event = "begun"
    id = work
  }

  /// Something that went wrong outside of a run.
  init(failure: String) {
    event = "failed"
    error = failure
  }

  static func milliseconds(_ time: Duration) -> Int { Int((time / .milliseconds(1)).rounded()) }

  /// The event on the wire. JSON has no line breaks of its own.
  var wire: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "∞", negativeInfinity: "-∞", nan: "?")
    let data = (try? encoder.encode(self)) ?? Data("{}".utf8)
    return "event: \(event)\ndata: \(String(decoding: data, as: UTF8.self))\n\n"
  }
}
