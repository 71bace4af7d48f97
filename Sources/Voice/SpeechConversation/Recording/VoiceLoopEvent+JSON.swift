import Foundation
import SpeechAudio
import SpeechCore

/// An event as JSON: an object with `time` (seconds since the loop's start, to the microsecond),
/// `turn` and `kind`, the name of the case, and the details of the case: `text`, `reason`, `start`
/// and `end`, `heard` and `unheard`, `number`, `error` with `detail`, or `timings` in seconds. The
/// keys are stable.
extension VoiceLoopEvent: Codable {
  /// Decodes an event from the format described above.
  ///
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    self = try EventFields(from: decoder).event(decoder)
  }

  /// Encodes the event in the format described above.
  public func encode(to encoder: any Encoder) throws {
    try EventFields(self).encode(to: encoder)
  }

  /// The event as one line of JSON with sorted keys. Equal events give equal bytes.
  public var line: String { (try? JSONLines.line(of: self)) ?? "" }
}

/// The members of an event in JSON.
private struct EventFields: Codable {
  var time: Double
  var turn: Int
  var kind: String
  var text: String?
  var reason: String?
  var start: Int?
  var end: Int?
  var heard: String?
  var unheard: String?
  var number: Int?
  var error: String?
  var detail: String?
  var timings: TimingFields?

  init(_ event: VoiceLoopEvent) {
    time = event.time.inMicroseconds
    turn = event.turn
    kind = ""
    switch event.kind {
    case .listening: kind = "listening"
    case .asleep: kind = "asleep"
    case .awake(let phrase): (kind, text) = ("awake", phrase)
    case .userStarted: kind = "userStarted"
    case .userPartial(let words): (kind, text) = ("userPartial", words)
    case .userFinal(let words): (kind, text) = ("userFinal", words)
    case .userIgnored(let words, let why):
      (kind, text, reason) = ("userIgnored", words, why.rawValue)
    case .thinking: kind = "thinking"
    case .replyText(let piece): (kind, text) = ("replyText", piece)
    case .speaking(let sentence): (kind, text) = ("speaking", sentence)
    case .word(let range): (kind, start, end) = ("word", range.lowerBound, range.upperBound)
    case .replyHeld: kind = "replyHeld"
    case .replyResumed(let why): (kind, reason) = ("replyResumed", why.rawValue)
    case .interrupted(let heard, let unheard):
      (kind, self.heard, self.unheard) = ("interrupted", heard, unheard)
    case .replyFinished(let words): (kind, text) = ("replyFinished", words)
    case .replyFailed(let why): (kind, detail) = ("replyFailed", why)
    case .voiceFailed(let failure):
      kind = "voiceFailed"
      (error, detail) = failure.fields
    case .prompted(let count): (kind, number) = ("prompted", count)
    case .away: kind = "away"
    case .recognitionFailed(let failure):
      kind = "recognitionFailed"
      (error, detail) = failure.fields
    case .recognitionReturned: kind = "recognitionReturned"
    case .timings(let times): (kind, timings) = ("timings", TimingFields(times))
    case .ended: kind = "ended"
    }
  }

  func event(_ decoder: any Decoder) throws -> VoiceLoopEvent {
    func fail(_ message: String) -> DecodingError {
      .dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: message))
    }
    func need<Value>(_ value: Value?, _ name: String) throws -> Value {
      guard let value else { throw fail("“\(kind)” needs “\(name)”.") }
      return value
    }
    func why() throws -> IgnoringReason {
      let name = try need(reason, "reason")
      guard let why = IgnoringReason(rawValue: name) else { throw fail("no reason “\(name)”") }
      return why
    }
    let what: VoiceLoopEvent.Kind
    switch kind {
    case "listening": what = .listening
    case "asleep": what = .asleep
    case "awake": what = .awake(try need(text, "text"))
    case "userStarted": what = .userStarted
    case "userPartial": what = .userPartial(try need(text, "text"))
    case "userFinal": what = .userFinal(try need(text, "text"))
    case "userIgnored": what = .userIgnored(try need(text, "text"), try why())
    case "thinking": what = .thinking
    case "replyText": what = .replyText(try need(text, "text"))
    case "speaking": what = .speaking(try need(text, "text"))
    case "word":
      let (start, end) = (try need(start, "start"), try need(end, "end"))
      guard start <= end else { throw fail("A word ends before it begins.") }
      what = .word(start..<end)
    case "replyHeld": what = .replyHeld
    case "replyResumed": what = .replyResumed(try why())
    case "interrupted":
      what = .interrupted(heard: try need(heard, "heard"), unheard: try need(unheard, "unheard"))
    case "replyFinished": what = .replyFinished(try need(text, "text"))
    case "replyFailed": what = .replyFailed(try need(detail, "detail"))
    case "voiceFailed":
      let name = try need(error, "error")
      guard let failure = SpeechSynthesisProviderError(name, detail) else {
        throw fail("no error “\(name)”")
      }
      what = .voiceFailed(failure)
    case "prompted": what = .prompted(try need(number, "number"))
    case "away": what = .away
    case "recognitionFailed":
      let name = try need(error, "error")
      guard let failure = SpeechRecognitionError(name, detail) else {
        throw fail("no error “\(name)”")
      }
      what = .recognitionFailed(failure)
    case "recognitionReturned": what = .recognitionReturned
    case "timings":
      what = .timings(try need(timings, "timings").timings(of: turn, fail))
    case "ended": what = .ended
    default: throw fail("There is no event “\(kind)”.")
    }
    guard let time = Duration(microseconds: time) else { throw fail("“time” is no time.") }
    return VoiceLoopEvent(time: time, turn: turn, kind: what)
  }
}

/// The timings of a turn in JSON, in seconds.
private struct TimingFields: Codable {
  var endOfTurn: Double?
  var finalText: Double?
  var firstToken: Double?
  var firstSound: Double?
  var interruption: Double?

  init(_ timings: TurnTimings) {
    endOfTurn = timings.endOfTurn?.inMicroseconds
    finalText = timings.finalText?.inMicroseconds
    firstToken = timings.firstToken?.inMicroseconds
    firstSound = timings.firstSound?.inMicroseconds
    interruption = timings.interruption?.inMicroseconds
  }

  func timings(of turn: Int, _ fail: (String) -> DecodingError) throws -> TurnTimings {
    func duration(_ seconds: Double?) throws -> Duration? {
      guard let seconds else { return nil }
      guard let duration = Duration(microseconds: seconds) else { throw fail("no length of time") }
      return duration
    }
    var timings = TurnTimings(turn: turn)
    timings.endOfTurn = try duration(endOfTurn)
    timings.finalText = try duration(finalText)
    timings.firstToken = try duration(firstToken)
    timings.firstSound = try duration(firstSound)
    timings.interruption = try duration(interruption)
    return timings
  }
}

extension SpeechRecognitionError {
  fileprivate var fields: (error: String, detail: String?) {
    switch self {
    case .notAvailable: ("notAvailable", nil)
    case .notAuthorized: ("notAuthorized", nil)
    case .audioEngineError(let message): ("audioEngineError", message)
    case .recognitionFailed(let message): ("recognitionFailed", message)
    case .outOfMemory: ("outOfMemory", nil)
    case .cancelled: ("cancelled", nil)
    }
  }

  fileprivate init?(_ name: String, _ detail: String?) {
    switch name {
    case "notAvailable": self = .notAvailable
    case "notAuthorized": self = .notAuthorized
    case "audioEngineError": self = .audioEngineError(detail ?? "")
    case "recognitionFailed": self = .recognitionFailed(detail ?? "")
    case "outOfMemory": self = .outOfMemory
    case "cancelled": self = .cancelled
    default: return nil
    }
  }
}

extension SpeechSynthesisProviderError {
  fileprivate var fields: (error: String, detail: String?) {
    switch self {
    case .providerNotAvailable(let name): ("providerNotAvailable", name)
    case .initializationFailed(let message): ("initializationFailed", message)
    case .invalidText: ("invalidText", nil)
    case .voiceNotAvailable(let voice): ("voiceNotAvailable", voice)
    case .networkUnavailable: ("networkUnavailable", nil)
    case .authenticationFailed: ("authenticationFailed", nil)
    case .rateLimitExceeded: ("rateLimitExceeded", nil)
    case .playbackFailed(let message): ("playbackFailed", message)
    case .cancelled: ("cancelled", nil)
    case .unknown(let message): ("unknown", message)
    }
  }

  fileprivate init?(_ name: String, _ detail: String?) {
    switch name {
    case "providerNotAvailable": self = .providerNotAvailable(detail ?? "")
    case "initializationFailed": self = .initializationFailed(detail ?? "")
    case "invalidText": self = .invalidText
    case "voiceNotAvailable": self = .voiceNotAvailable(detail ?? "")
    case "networkUnavailable": self = .networkUnavailable
    case "authenticationFailed": self = .authenticationFailed
    case "rateLimitExceeded": self = .rateLimitExceeded
    case "playbackFailed": self = .playbackFailed(detail ?? "")
    case "cancelled": self = .cancelled
    case "unknown": self = .unknown(detail ?? "")
    default: return nil
    }
  }
}
