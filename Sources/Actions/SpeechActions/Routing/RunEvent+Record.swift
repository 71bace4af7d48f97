import AIServices
import Foundation

extension RunEvent {
  /// The event as JSON, for `--json` and for the console's page.
  package var record: [String: SendableValue] {
    let record: [String: SendableValue?] =
      switch self {
      case .started(let connector): ["event": "started", "connector": .string(connector)]
      case .text(let connector, let piece):
        ["event": "text", "connector": .string(connector), "text": .string(piece)]
      case .finished(let connector, let answer):
        [
          "event": "finished", "connector": .string(connector), "text": .string(answer.text),
          "structured": answer.structured.flatMap(Self.value),
          "latencyMilliseconds": .int(answer.latency.wholeMilliseconds),
          "firstTextMilliseconds": answer.firstText.map { .int($0.wholeMilliseconds) },
          "inputTokens": .int(answer.usage.inputTokens),
          "outputTokens": .int(answer.usage.outputTokens),
          "cost": answer.cost.map { .double($0) },
          "isCostEstimated": answer.cost.map { _ in .bool(answer.isCostEstimated) },
          "isCached": .bool(answer.isCached),
          "isCutOff": .bool(answer.isCutOff),
        ]
      case .failed(let connector, let failure):
        [
          "event": "failed", "connector": .string(connector),
          "error": .string(failure.error.localizedDescription),
          "latencyMilliseconds": .int(failure.latency.wholeMilliseconds),
          "cost": failure.cost.map { .double($0) },
          "isCostEstimated": failure.cost.map { _ in .bool(failure.isCostEstimated) },
        ]
      case .cancelled(let connector, let reason):
        [
          "event": "cancelled", "connector": .string(connector),
          "reason": .string(reason.rawValue),
        ]
      case .completed(let outcome):
        [
          "event": "completed", "error": outcome.error.map { .string($0.localizedDescription) },
          "latencyMilliseconds": .int(outcome.latency.wholeMilliseconds),
          "cost": outcome.cost.map { .double($0) },
          "isCostEstimated": outcome.cost.map { _ in .bool(outcome.isCostEstimated) },
          "answers": .array(outcome.answers.map { .string($0.connector) }),
        ]
      }
    return record.compactMapValues { $0 }
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
