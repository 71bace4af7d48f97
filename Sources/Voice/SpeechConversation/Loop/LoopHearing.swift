import Foundation
import SpeechCore

/// What the loop's recogniser hears, in numbers and on the loop's clock.
struct LoopHearing {
  private var numbers: [UUID: Int] = [:]
  private var count = 0
  private var current: UUID?
  /// When on the loop's clock listening began.
  var origin = Duration.zero

  /// The inputs that follow from the event, in order.
  mutating func inputs(for event: HearingEvent) -> [TurnInput] {
    switch event {
    case .speechStarted(let id, _):
      let before = endCurrent(unlessIt: id)
      return before + [.speechStarted(utterance: number(of: id))]
    case .speechPaused(let id, let second):
      return [.speechPaused(utterance: number(of: id), since: time(second))]
    case .speechResumed(let id, _): return [.speechResumed(utterance: number(of: id))]
    case .speechStopped(let id, let second):
      return [.speechStopped(utterance: number(of: id), lastVoice: time(second))]
    case .result(let result): return inputs(for: result)
    case .rejected(let rejected):
      let nearest = rejected.nearest
      return [.rejected(utterance: number(of: nearest.utteranceID), text: nearest.text)]
    case .speechEnded(let id, _):
      if current == id { current = nil }
      let number = number(of: id)
      numbers[id] = nil
      return [.speechEnded(utterance: number)]
    case .deviceLost, .deviceReturned: return []
    }
  }

  private mutating func inputs(for result: SpeechRecognitionResult) -> [TurnInput] {
    let number = number(of: result.utteranceID)
    return [
      result.isFinal
        ? .final(utterance: number, text: result.text)
        : .partial(utterance: number, text: result.text)
    ]
  }

  /// The inputs for a recogniser that tells results and nothing else.
  mutating func inputs(forResultAlone result: SpeechRecognitionResult, at now: Duration)
    -> [TurnInput]
  {
    let id = result.utteranceID
    var inputs = endCurrent(unlessIt: id)
    if numbers[id] == nil { inputs.append(.speechStarted(utterance: number(of: id))) }
    current = id
    if result.isFinal {
      inputs.append(.speechStopped(utterance: number(of: id), lastVoice: now))
      inputs += self.inputs(for: result)
      inputs.append(.speechEnded(utterance: number(of: id)))
      current = nil
    } else {
      inputs += self.inputs(for: result)
    }
    return inputs
  }

  private mutating func endCurrent(unlessIt id: UUID) -> [TurnInput] {
    guard let current, current != id else { return [] }
    self.current = nil
    return [.speechEnded(utterance: number(of: current))]
  }

  /// Forgets the utterance that is under way, because listening ended; tells what follows.
  mutating func end() -> [TurnInput] {
    defer { numbers = [:] }
    guard let current else { return [] }
    self.current = nil
    return [.speechEnded(utterance: number(of: current))]
  }

  private mutating func number(of id: UUID) -> Int {
    if let number = numbers[id] { return number }
    count += 1
    numbers[id] = count
    current = id
    return count
  }

  private func time(_ second: TimeInterval) -> Duration { origin + .seconds(second) }
}
