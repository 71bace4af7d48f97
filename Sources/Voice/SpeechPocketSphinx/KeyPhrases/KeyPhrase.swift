import Foundation
import SpeechCore

/// A phrase that a decoder waits for.
///
/// ```swift
/// let phrases: [KeyPhrase] = ["hey computer", KeyPhrase("lights out", minimumConfidence: 0.8)]
/// let tuned = try KeyPhrase(line: "hey computer /1e-30/0.72/")
/// ```
public struct KeyPhrase: Sendable, Hashable, Codable, ExpressibleByStringLiteral {
  /// The words, separated by spaces.
  public var text: String
  /// The threshold of the library, from 1 (hardly any false alarms) down to 1e-50 (hardly any
  /// misses). `nil` depends on the length of the phrase, and findings are checked.
  public var threshold: Double?
  /// The confidence from which on a finding is accepted, from 0 (every finding) to 1. `nil` suits
  /// most phrases, and is 0 if a threshold is given.
  public var minimumConfidence: Float?

  /// Creates a phrase with its thresholds.
  public init(_ text: String, threshold: Double? = nil, minimumConfidence: Float? = nil) {
    self.text = text
    self.threshold = threshold
    self.minimumConfidence = minimumConfidence
  }

  /// Creates a phrase with default thresholds.
  public init(stringLiteral text: String) { self.init(text) }

  /// The default minimum confidence: one more miss in twenty is better than one more false alarm in
  /// an hour.
  static let defaultConfidence: Float = 0.6

  /// The effective minimum confidence.
  var leastConfidence: Float {
    minimumConfidence ?? (threshold == nil ? Self.defaultConfidence : 0)
  }
}

// MARK: - As text

extension KeyPhrase: CustomStringConvertible {
  /// The line that `init(line:)` reads.
  public var description: String {
    let numbers = [threshold.map { "\($0)" }, minimumConfidence.map { "\($0)" }]
    let count = minimumConfidence != nil ? 2 : threshold != nil ? 1 : 0
    guard count > 0 else { return text }
    return "\(text) /" + numbers.prefix(count).map { ($0 ?? "") + "/" }.joined()
  }

  /// Reads a phrase in the library's format, `hey computer /1e-30/`, optionally followed by the
  /// minimum confidence, `hey computer /1e-30/0.7/` or `hey computer //0.7/`. The phrase alone
  /// suffices.
  ///
  /// - Throws: `SpeechRecognitionError.recognitionFailed` if the line has another form.
  public init(line: String) throws(SpeechRecognitionError) {
    let fields = line.split(separator: "/", omittingEmptySubsequences: false)
    // Not by characters: a combining mark after a space forms one character with it.
    let words = fields[0].unicodeScalars.split(whereSeparator: \.properties.isWhitespace)
    let text = words.map(String.init).joined(separator: " ")
    guard !text.isEmpty else { throw .recognitionFailed("“\(line)” has no key phrase.") }
    self.init(text)
    guard fields.count > 1 else { return }
    let numbers = fields.dropFirst().map { $0.trimmingCharacters(in: .whitespaces) }
    guard numbers.count < 4, numbers.count > 1, numbers.last == "" else {
      throw .recognitionFailed(
        "“\(line)” is not of the form “phrase /threshold/confidence/”. The confidence or both "
          + "numbers may be left out.")
    }
    if !numbers[0].isEmpty {
      guard let threshold = Double(numbers[0]) else {
        throw .recognitionFailed(
          "“\(numbers[0])” in “\(line)” is not a threshold. Use for example 1e-30.")
      }
      self.threshold = threshold
    }
    if numbers.count == 3, !numbers[1].isEmpty {
      guard let confidence = Float(numbers[1]) else {
        throw .recognitionFailed(
          "“\(numbers[1])” in “\(line)” is not a confidence. Use a number from 0 to 1.")
      }
      minimumConfidence = confidence
    }
    try check()
  }

  /// Reads a text with a phrase in each line; empty lines and lines that start with “#” are
  /// ignored.
  ///
  /// - Throws: the error of a line, with its number.
  public static func list(_ text: String) throws(SpeechRecognitionError) -> [KeyPhrase] {
    var phrases: [KeyPhrase] = []
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      let line = line.trimmingCharacters(in: .whitespaces)
      guard !line.isEmpty, !line.hasPrefix("#") else { continue }
      do {
        phrases.append(try KeyPhrase(line: line))
      } catch .recognitionFailed(let reason) {
        throw .recognitionFailed("Line \(index + 1): \(reason)")
      }
    }
    return phrases
  }

  /// - Throws: `SpeechRecognitionError.recognitionFailed` for numbers out of range.
  func check() throws(SpeechRecognitionError) {
    if let threshold {
      guard threshold > 0, threshold <= 1, threshold >= 1e-200 else {
        throw .recognitionFailed(
          "The threshold \(threshold) of the key phrase “\(text)” is out of range. Use a number "
            + "from 1e-200 (many false alarms) to 1 (hardly any).")
      }
    }
    if let minimumConfidence {
      guard (0...1).contains(minimumConfidence) else {
        throw .recognitionFailed(
          "The confidence \(minimumConfidence) of the key phrase “\(text)” is out of range. Use a "
            + "number from 0 (every finding is accepted) to 1 (none is).")
      }
    }
  }
}
