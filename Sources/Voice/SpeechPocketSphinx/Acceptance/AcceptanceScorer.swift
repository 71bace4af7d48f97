import Foundation
import SpeechGrammar

/// Scores a sentence that a grammar found against any other speech: the phones of its words against
/// a free loop over all phones, on the same audio.
struct AcceptanceScorer: Sendable {
  let model: PhoneModel

  init(folder: URL) throws { model = try PhoneModel.shared(folder: folder) }

  /// True if the phones last a third of a second or longer.
  func hearsSpeech(in features: Features) -> Bool {
    guard let loop = PhoneLoop(features, model: model) else { return false }
    let spoken = loop.segments.filter { !model.definition.isNoise($0.phone) }
    return spoken.reduce(0) { $0 + $1.frames.count } >= 33
  }

  /// A word of the path with its phones.
  private struct Word {
    var phones: [Int]
    var frames: Range<Int>
    var cost: Double
  }

  /// The evidence for and against the path; `nil` if it has no word that can be scored.
  ///
  /// - Parameters:
  ///   - grammar: the grammar that the path leads through; `nil` if it is a single phrase.
  ///   - spell: returns the phones of a word in the dictionary's notation.
  func evidence(
    _ path: [PathSegment], in features: Features, of samples: ArraySlice<Int16>,
    grammar: WordGraph? = nil, spell: (String) -> String?
  ) -> AcceptanceEvidence? {
    let words = path.compactMap { word($0, frameCount: features.frameCount, spell: spell) }
    guard !words.isEmpty, let loop = PhoneLoop(features, model: model) else { return nil }
    let weighed = words.indices.compactMap { weigh(words, at: $0, features, loop) }
    guard !weighed.isEmpty else { return nil }
    let levels = SoundLevels(samples, features.frameCount)
    let choices = grammar?.choices(along: path.compactMap(\.plainWord)) ?? []
    let evidence = AcceptanceEvidence(
      words: weighed, unexplained: unexplained(words.map(\.frames), loop, levels),
      freedom: choices.reduce(0) { $0 + log(Double($1)) })
    // The numbers of a model may be so large that the results are not finite.
    return evidence.features().allSatisfy(\.isFinite) ? evidence : nil
  }

  private func word(
    _ segment: PathSegment, frameCount: Int, spell: (String) -> String?
  ) -> Word? {
    let end = min(segment.lastFrame + 1, frameCount)
    guard segment.plainWord != nil, segment.firstFrame >= 0,
      segment.firstFrame < end, let phones = spell(segment.word)
    else { return nil }
    return Word(
      phones: phones.split(separator: " ").compactMap { model.definition.indices[String($0)] },
      frames: segment.firstFrame..<end, cost: segment.acousticCost)
  }

  private func weigh(
    _ words: [Word], at index: Int, _ features: Features, _ loop: PhoneLoop
  ) -> AcceptanceEvidence.Word? {
    let word = words[index]
    let states = model.states(of: word.phones, senones: senones(words, at: index))
    guard let scores = model.scores(states, features, word.frames),
      let alignment = PhoneAlignment(
        phones: word.phones.count, states: model.states, frames: word.frames, scores: scores)
    else { return nil }
    let frames = Float(word.frames.count)
    let own = alignment.phones.reduce(0) { $0 + $1.score }
    return AcceptanceEvidence.Word(
      firstFrame: word.frames.lowerBound, frames: word.frames.count,
      likelihoodRatio: Double((own - loop.score(of: word.frames)) / frames),
      phoneRatios: alignment.phones.map { phone in
        Double((phone.score - loop.bestPhone(in: phone.frames)) / Float(phone.frames.count))
      },
      phoneLengths: alignment.phones.map(\.frames.count), cost: word.cost)
  }

  /// The senones of the phones of a word in the context of each other and of the adjacent words, if
  /// those follow without a pause.
  private func senones(_ words: [Word], at index: Int) -> [[Int]] {
    let (word, silence) = (words[index], model.definition.silence)
    var left = silence
    if index > 0, words[index - 1].frames.upperBound == word.frames.lowerBound {
      left = words[index - 1].phones.last ?? silence
    }
    var right = silence
    if index + 1 < words.count, words[index + 1].frames.lowerBound == word.frames.upperBound {
      right = words[index + 1].phones.first ?? silence
    }
    let row = [left] + word.phones + [right]
    let last = word.phones.count - 1
    return word.phones.enumerated().map { place, phone in
      model.definition.senones(
        of: phone, between: row[place], and: row[place + 2],
        at: last == 0 ? .only : place == 0 ? .first : place == last ? .last : .inside)
    }
  }

  /// The share of frames outside the words that are loud and resemble phones.
  private func unexplained(
    _ words: [Range<Int>], _ loop: PhoneLoop, _ levels: SoundLevels
  ) -> Double {
    let spoken = words.reduce(0) { $0 + $1.count }
    let mean = words.joined().reduce(0) { $0 + levels.decibels[$1] } / Double(spoken)
    var isLeft = levels.decibels.map { $0 > mean - 10 }
    for frame in words.joined() { isLeft[frame] = false }
    let speech = loop.segments.filter { !model.definition.isNoise($0.phone) }
    return Double(speech.flatMap(\.frames).count { isLeft[$0] }) / Double(spoken)
  }
}

/// The level of each frame.
private struct SoundLevels {
  let decibels: [Double]

  init(_ samples: ArraySlice<Int16>, _ frames: Int) {
    decibels = (0..<frames).map { frame in
      let start = min(samples.startIndex + frame * Cepstra.samplesPerFrame, samples.endIndex)
      let end = min(start + Cepstra.samplesPerWindow, samples.endIndex)
      return 10 * log10(samples[start..<end].power + 1)
    }
  }
}
