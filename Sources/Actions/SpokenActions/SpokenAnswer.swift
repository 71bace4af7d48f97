import SpeechActions
import SpeechCloud
import SpeechKit

/// Chooses what is said of a run, and when: events in, words out.
///
/// An answer is said while it comes where it is clear whose it will be: with one connector after another and
/// with hedging it is whoever begins, of answers that all count the first one of the rule that does not fail.
/// Of first successes the one that counts is said when it is complete, and so is what comes as data.
package struct SpokenAnswer: Sendable {
  /// What is to be done.
  package enum Step: Sendable, Hashable {
    /// Say this, behind what was said before.
    case say(String)
    /// What was said is no answer, for that reason. What follows is said from its beginning.
    case takeBack(ActionError)
  }

  private enum Way: Sendable {
    case whoeverBegins
    case firstOfTheRule
    case atTheEnd
  }

  private let way: Way
  private let order: [String]
  private var plain = PlainSpeech()
  /// Whose words have been said.
  private var speaker: String?
  /// What has come and was not said.
  private var texts: [String: String] = [:]
  /// Who gives no answer any more.
  private var out: Set<String> = []

  /// - Parameter connectors: all that are configured.
  package init(_ action: TextAction, connectors: [Connector]) {
    let rule = action.routing
    order = rule.connectors.isEmpty ? connectors.filter(\.isActive).map(\.id) : rule.connectors
    switch action.output {
    case .sentencePairs, .corrections, .diff, .json: way = .atTheEnd
    case .text, .markdown:
      way =
        switch rule.mode {
        case .sequential, .hedged: .whoeverBegins
        case .parallel: .firstOfTheRule
        case .firstSuccess: .atTheEnd
        }
    }
  }

  /// Takes what happened, and tells what to do about it.
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
      switch way {
      case .whoeverBegins: connector
      case .firstOfTheRule: order.first { !out.contains($0) }
      case .atTheEnd: nil
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
