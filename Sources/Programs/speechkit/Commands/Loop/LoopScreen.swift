import SpeechCommand
import SpeechConcurrency
import SpeechKit

/// The display of a conversation on a terminal: whose turn it is, the level, the text with the
/// current word highlighted, and the duration of the last turn.
@MainActor
final class LoopScreen {
  /// The recent level of the microphone.
  final class Meter: Sendable {
    private let value = Guarded(-90.0)

    var level: Double { value.withLock { $0 } }

    /// Wraps a microphone so that its level is measured.
    func metered(_ input: any AudioInput) -> any AudioInput {
      TappedInput(input) { [value] in
        { sound, _ in value.withLock { $0 = sound.level } }
      }
    }
  }

  private(set) var state = "starting"
  private var words = ""
  private var reply = ""
  private var lit: Range<Int>?
  private var latencies = ""

  func take(_ event: VoiceLoopEvent) {
    switch event.kind {
    case .listening, .awake: state = "listening"
    case .asleep: state = "asleep"
    case .userStarted: (state, words) = ("hearing", "")
    case .userPartial(let text), .userFinal(let text), .userIgnored(let text, _): words = text
    case .thinking: (state, reply, lit) = ("thinking", "", nil)
    case .replyText(let text): reply += text
    case .speaking: state = "speaking"
    case .word(let range): lit = range
    case .replyHeld: state = "held"
    case .replyResumed: state = "speaking"
    case .interrupted, .replyFinished: (reply, lit) = ("", nil)
    case .timings(let timings):
      latencies = TurnTimingsTable.Stage.allCases.compactMap { stage in
        timings[stage].map { "\(stage.title) \(Int($0 / .milliseconds(1))) ms" }
      }.joined(separator: " · ")
    case .replyFailed, .voiceFailed, .recognitionFailed: state = "failed"
    case .recognitionReturned: state = "listening"
    case .prompted: break
    case .away: state = "away"
    case .ended: state = "over"
    }
  }

  /// The lines for a level in decibels below full scale.
  func lines(level: Double) -> [StatusLine] {
    let width = 20
    let loud = min(max((level + 70) / 60, 0), 1)
    let full = Int((loud * Double(width)).rounded())
    let bar = String(repeating: "█", count: full) + String(repeating: "░", count: width - full)
    let padding = String(repeating: " ", count: max(1, 10 - state.count))
    var lines = [StatusLine(state + padding + bar)]
    if reply.isEmpty {
      if !words.isEmpty { lines.append(StatusLine("you: " + words)) }
    } else {
      lines.append(StatusLine("reply: " + reply, lit: litCharacters))
    }
    if !latencies.isEmpty { lines.append(StatusLine(latencies)) }
    return lines
  }

  /// The current word, in characters of its line; the loop counts Unicode scalars.
  private var litCharacters: Range<Int>? {
    guard let lit else { return nil }
    let scalars = reply.unicodeScalars
    guard let start = scalars.index(at: lit.lowerBound), let end = scalars.index(at: lit.upperBound)
    else { return nil }
    let before = "reply: ".count + reply.distance(from: reply.startIndex, to: start)
    return before..<before + reply.distance(from: start, to: end)
  }
}

extension String.UnicodeScalarView {
  fileprivate func index(at offset: Int) -> Index? {
    index(startIndex, offsetBy: offset, limitedBy: endIndex)
  }
}
