import Foundation
import SpeechAudio

/// Rules as JSON that is meant to be edited: times in seconds, phrases sorted, missing members as
/// in the default rules.
///
/// `wakeWords` and `window`, or `pushToTalk`, say which speech is addressed to the loop. Unused
/// times (`patience`, `awayAfter`, `prompt`) are `null` or missing.
extension TurnRules {
  /// Decodes rules from the format described above.
  ///
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    self = try RuleFields(from: decoder).rules(decoder)
  }

  /// Encodes the rules in the format described above.
  public func encode(to encoder: any Encoder) throws {
    try RuleFields(self).encode(to: encoder)
  }
}

private struct RuleFields: Codable {
  struct Interruption: Codable {
    var isAllowed: Bool?
    var minimumSpeech: Double?
    var minimumWords: Int?
    var listenerSounds: [String]?
    var stopWords: [String]?
  }

  struct Prompt: Codable {
    var after: Double
    var texts: [String]
  }

  var wakeWords: [String]?
  var window: Double?
  var pushToTalk: Bool?
  var maximumTurn: Double?
  var interruption: Interruption?
  var isHalfDuplex: Bool?
  var echoTail: Double?
  var ignoresOwnWords: Bool?
  var answersEarly: Bool?
  var prompt: Prompt?
  var awayAfter: Double?
  var patience: Double?
  var patienceText: String?
  var replyLimit: Double?
  var failureText: String?
  var hasEarcon: Bool?

  init(_ rules: TurnRules) {
    switch rules.attention {
    case .always: break
    case .wakeWord(let phrases, let time): (wakeWords, window) = (phrases, time.inMicroseconds)
    case .pushToTalk: pushToTalk = true
    }
    maximumTurn = rules.maximumTurn.inMicroseconds
    interruption = Interruption(
      isAllowed: rules.interruption.isAllowed,
      minimumSpeech: rules.interruption.minimumSpeech.inMicroseconds,
      minimumWords: rules.interruption.minimumWords,
      listenerSounds: rules.interruption.listenerSounds.sorted(),
      stopWords: rules.interruption.stopWords.sorted())
    isHalfDuplex = rules.isHalfDuplex
    echoTail = rules.echoTail.inMicroseconds
    ignoresOwnWords = rules.ignoresOwnWords
    answersEarly = rules.answersEarly
    prompt = rules.prompt.map { Prompt(after: $0.after.inMicroseconds, texts: $0.texts) }
    awayAfter = rules.awayAfter?.inMicroseconds
    patience = rules.fillerDelay?.inMicroseconds
    patienceText = rules.fillerText
    replyLimit = rules.replyLimit.inMicroseconds
    failureText = rules.failureText
    hasEarcon = rules.hasEarcon
  }

  func rules(_ decoder: any Decoder) throws -> TurnRules {
    func time(_ seconds: Double) throws -> Duration {
      guard seconds >= 0, let time = Duration(microseconds: seconds) else {
        throw DecodingError.dataCorrupted(
          .init(codingPath: decoder.codingPath, debugDescription: "\(seconds) s is no time"))
      }
      return time
    }
    func time(_ seconds: Double?, or standard: Duration) throws -> Duration {
      try seconds.map(time) ?? standard
    }
    let standard = TurnRules()
    var rules = standard
    if let wakeWords {
      rules.attention = .wakeWord(wakeWords, window: try time(window, or: .seconds(8)))
    } else if pushToTalk == true {
      rules.attention = .pushToTalk
    }
    rules.maximumTurn = try time(maximumTurn, or: standard.maximumTurn)
    if let given = interruption {
      let before = standard.interruption
      rules.interruption.isAllowed = given.isAllowed ?? before.isAllowed
      rules.interruption.minimumSpeech = try time(given.minimumSpeech, or: before.minimumSpeech)
      rules.interruption.minimumWords = given.minimumWords ?? before.minimumWords
      rules.interruption.listenerSounds =
        given.listenerSounds.map(Set.init) ?? before.listenerSounds
      rules.interruption.stopWords = given.stopWords.map(Set.init) ?? before.stopWords
    }
    rules.isHalfDuplex = isHalfDuplex ?? standard.isHalfDuplex
    rules.echoTail = try time(echoTail, or: standard.echoTail)
    rules.ignoresOwnWords = ignoresOwnWords ?? standard.ignoresOwnWords
    rules.answersEarly = answersEarly ?? standard.answersEarly
    rules.prompt = try prompt.map { TurnRules.Prompt(after: try time($0.after), texts: $0.texts) }
    rules.awayAfter = try awayAfter.map(time)
    rules.fillerDelay = try patience.map(time)
    rules.fillerText = patienceText ?? standard.fillerText
    rules.replyLimit = try time(replyLimit, or: standard.replyLimit)
    rules.failureText = failureText ?? standard.failureText
    rules.hasEarcon = hasEarcon ?? standard.hasEarcon
    return rules
  }
}
