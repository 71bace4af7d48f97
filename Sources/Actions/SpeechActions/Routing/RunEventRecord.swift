import AIServices
import Foundation

/// An event of a run as JSON, for `--json` and for the console's page.
package struct RunEventRecord: Encodable, Sendable {
  package var event: String
  /// The identifier by which work can be stopped.
  package var id: String?
  package var connector: String?
  package var text: String?
  package var structured: SendableValue?
  package var error: String?
  package var reason: String?
  package var latencyMilliseconds: Int?
  package var firstTextMilliseconds: Int?
  package var inputTokens: Int?
  package var outputTokens: Int?
  package var cost: Double?
  package var isCached: Bool?
  package var isCutOff: Bool?
  /// The connectors that answered, in the last event.
  package var answers: [String]?

  package init(event: String) { self.event = event }

  package init(_ step: RunEvent) {
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
      text = answer.text
      structured = answer.structured.flatMap(Self.value)
      latencyMilliseconds = answer.latency.wholeMilliseconds
      firstTextMilliseconds = answer.firstText?.wholeMilliseconds
      inputTokens = answer.usage.inputTokens
      outputTokens = answer.usage.outputTokens
      cost = answer.cost
      isCached = answer.isCached
      isCutOff = answer.isCutOff
    case .failed(let connector, let failure):
      event = "failed"
      self.connector = connector
      error = failure.error.localizedDescription
      latencyMilliseconds = failure.latency.wholeMilliseconds
      cost = failure.cost
    case .cancelled(let connector, let reason):
      event = "cancelled"
      self.connector = connector
      self.reason = reason.rawValue
    case .completed(let outcome):
      event = "completed"
      error = outcome.error?.localizedDescription
      latencyMilliseconds = outcome.latency.wholeMilliseconds
      cost = outcome.cost
      answers = outcome.answers.map(\.connector)
    }
  }

  private static func value(of answer: StructuredAnswer) -> SendableValue? {
    func value(_ data: some Encodable) -> SendableValue? {
      guard let data = try? JSONEncoder().encode(data) else { return nil }
      return try? JSONDecoder().decode(SendableValue.self, from: data)
    }
    return switch answer {
    case .sentencePairs(let pairs): value(pairs)
    case .corrections(let corrections): value(corrections)
    case .diff(let pieces): value(pieces)
    case .json(let data): data
    }
  }
}
