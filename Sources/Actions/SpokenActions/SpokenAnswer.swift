import SpeechActions
import SpeechCloud

/// Decides which words of a run to speak, and when: events in, steps out.
///
/// An answer is spoken while it arrives if its connector is known: with one connector after another
/// and with hedging it is the first to begin; with parallel answers, the first connector of the
/// rule that does not fail. With `firstSuccess`, and for answers as data, the complete answer is
/// spoken.
package struct SpokenAnswer: Sendable {
  package enum Step: Sendable, Hashable {
    /// Speak these words after the previous ones.
    case say(String)
    /// Discard the words spoken so far, for this reason. The next words begin a new answer.
    case takeBack(ActionError)
  }

  /// The mode of the rule; `nil` for data, which is spoken once it is complete.
  private let mode: ModeName?
  private let order: [String]
  private var plain = PlainSpeech()
  /// The connector whose words have been spoken.
  private var speaker: String?
  /// Text that has arrived and was not spoken.
  private var texts: [String: String] = [:]
  /// The connectors that failed or were cancelled.
  private var out: Set<String> = []

  /// - Parameter connectors: All configured connectors.
  package init(_ action: TextAction, connectors: [Connector]) {
    let rule = action.routing
    order = rule.connectors.isEmpty ? connectors.filter(\.isActive).map(\.id) : rule.connectors
    switch action.output {
    case .sentencePairs, .corrections, .diff, .json: mode = nil
    case .text, .markdown: mode = rule.mode.name
    }
  }

  package mutating func take(_ event: RunEvent) -> [Step] {
    switch event {
    case .started(let connector):
      texts[connector] = nil
      out.remove(connector)
      return []
    case .text(let connector, let piece):
      texts[connector, default: ""] += piece
      return sayWhatCame(from: connector)
    case .failed(let connector, let failure):
      return leave(connector, because: failure.error)
    case .cancelled(let connector, _):
      out.insert(connector)
      texts[connector] = nil
      return []
    case .finished: return []
    case .completed(let outcome):
      guard let answer = outcome.answer else { return [] }
      guard let speaker else { return [.say(answer.spoken)] }
      return out.contains(speaker) ? [.takeBack(.cancelled), .say(answer.spoken)] : []
    }
  }

  private mutating func leave(_ connector: String, because error: ActionError) -> [Step] {
    out.insert(connector)
    texts[connector] = nil
    var steps: [Step] = []
    if connector == speaker {
      speaker = nil
      plain = PlainSpeech()
      steps = [.takeBack(error)]
    }
    return steps + sayWhatCame(from: nil)
  }

  private mutating func sayWhatCame(from connector: String?) -> [Step] {
    let next: String? =
      switch mode {
      case .sequential, .hedged: connector
      case .parallel: order.first { !out.contains($0) }
      case .firstSuccess, nil: nil
      }
    guard let chosen = speaker ?? next, let text = texts.removeValue(forKey: chosen) else {
      return []
    }
    let words = plain.add(text)
    guard !words.isEmpty else { return [] }
    speaker = chosen
    return [.say(words)]
  }
}
