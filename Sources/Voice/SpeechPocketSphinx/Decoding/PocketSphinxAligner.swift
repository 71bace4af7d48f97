import Foundation
import SpeechAudio
import SpeechCore

/// Finds the words of a text in its synthesised audio, by recognising that very sentence.
///
/// ```swift
/// let positions = await PocketSphinxAligner().positions(of: "Good morning.", in: audio)
/// ```
/// The audio may end in the middle of the text; words that are not in it have no position.
public struct PocketSphinxAligner: WordAligner {
  private let configuration: PocketSphinxConfiguration
  private let locale: Locale

  /// The maximum number of words; text that is synthesised at once is a sentence.
  private static let limit = 200

  /// Creates an aligner with the model of that language.
  ///
  /// - Parameter configuration: determines the pronunciations of words; its search and acceptance
  ///   are ignored.
  public init(
    configuration: PocketSphinxConfiguration = PocketSphinxConfiguration(),
    locale: Locale = Locale(identifier: "en-US")
  ) {
    var configuration = configuration
    configuration.acceptance = .off
    self.configuration = configuration
    self.locale = locale
  }

  /// The positions of the words; empty if the audio is not recognised as this text.
  public func positions(of text: String, in audio: PCMBuffer) async -> [SpeechPosition] {
    let words = Self.words(of: text)
    guard !words.isEmpty, words.count <= Self.limit else { return [] }
    var configuration = configuration
    configuration.search = .grammar(Self.grammar(of: words.map(\.word)))
    let session = RecognitionSession<PocketSphinxDecoder>(
      configuration: configuration, locale: locale)
    guard let format = try? await session.prepare(),
      let sound = try? audio.resampled(to: format),
      let decoded = try? await session.decode(sound)
    else { return [] }
    // The grammar contains the words in this order only.
    return zip(words, decoded.words).map { word, heard in
      SpeechPosition(
        kind: .word, textRange: word.range, audioOffset: .seconds(heard.start))
    }
  }

  /// A grammar of the words in their order, of which the last ones are optional.
  private static func grammar(of words: [String]) -> String {
    let sentence = words.reversed().reduce("") { rest, word in
      rest.isEmpty ? word : "\(word) [ \(rest) ]"
    }
    return "#JSGF V1.0; grammar alignment; public <sentence> = \(sentence);"
  }

  /// The words in the recogniser's spelling, and their ranges in the text.
  private static func words(of text: String) -> [(word: String, range: Range<Int>)] {
    var words: [(word: String, range: Range<Int>)] = []
    var current: [Unicode.Scalar] = []
    let scalars = Array(text.unicodeScalars) + [" "]
    for (index, scalar) in scalars.enumerated() {
      let isApostrophe = scalar == "'" || scalar == "’"
      if scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || (isApostrophe && !current.isEmpty)
      {
        current.append(isApostrophe ? "'" : scalar)
        continue
      }
      let length = current.count
      while current.last == "'" { current.removeLast() }
      if !current.isEmpty {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: current)
        let start = index - length
        words.append((String(view).lowercased(), start..<start + current.count))
      }
      current = []
    }
    return words
  }
}
