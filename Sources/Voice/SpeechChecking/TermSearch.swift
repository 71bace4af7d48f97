/// Finds terms of the vocabulary that the audio supports better than the recognised words.
struct TermSearch {
  struct Replacement {
    var words: Range<Int>
    var term: VocabularyTerm
    var support: Double
  }

  private let evidence: SpokenEvidence
  private let spoken: [SpokenWord]
  private let terms: [VocabularyTerm]

  /// The maximum number of words that a recogniser writes for a term.
  private static let mostWords = 3
  /// The distance of pronunciations from which on words do not sound alike.
  private static let mostDistance = 0.55
  /// The support from which on a term replaces words.
  private static let threshold = 0.5
  // A logistic regression over the gain of the term, its distance from the words and its number of
  // phones. Fitted to what Whisper tiny.en writes for 60 names, by three synthetic voices, and to
  // 25 recordings of read speech with 100 other names as their vocabulary; the constant makes wrong
  // replacements rarer than one in 500 words.
  private static let constant = -1.14
  private static let gainWeight = 0.026
  private static let distanceWeight = -11.0
  private static let lengthWeight = 0.7
  /// The frames around the words in which a term may begin or end.
  private static let margin = 10

  init(_ evidence: SpokenEvidence, _ spoken: [SpokenWord], _ terms: [VocabularyTerm]) {
    self.evidence = evidence
    self.spoken = spoken
    self.terms = terms
  }

  /// The replacements in their order, which do not overlap.
  func replacements() -> [Replacement] {
    guard !terms.isEmpty else { return [] }
    var found: [Replacement] = []
    for start in spoken.indices {
      for end in start + 1...min(start + Self.mostWords, spoken.count) {
        found += terms.compactMap { candidate($0, for: start..<end) }
      }
    }
    var chosen: [Replacement] = []
    for one in found.sorted(by: { $0.support > $1.support })
    where !chosen.contains(where: { $0.words.overlaps(one.words) }) {
      chosen.append(one)
    }
    return chosen.sorted { $0.words.lowerBound < $1.words.lowerBound }
  }

  private func candidate(_ term: VocabularyTerm, for words: Range<Int>) -> Replacement? {
    let own = words.flatMap { spoken[$0].phones }
    let distances = term.pronunciations.map { PhoneDistance.between($0, own) }
    guard let distance = distances.min(), distance <= Self.mostDistance else { return nil }
    let frames = window(of: words)
    guard let wanted = evidence.alignment(of: [term.pronunciations], in: frames),
      let heard = evidence.alignment(of: words.map { spoken[$0].pronunciations }, in: frames)
    else { return nil }
    let phones = term.pronunciations[wanted.places[0].pronunciation]
    let support = SpokenEvidence.logistic(
      Self.constant + Self.gainWeight * Double(wanted.score - heard.score)
        + Self.distanceWeight * distance + Self.lengthWeight * Double(phones.count))
    guard support >= Self.threshold else { return nil }
    return Replacement(words: words, term: term, support: support)
  }

  /// The frames of the words up to those of the words around them, but with little margin.
  private func window(of words: Range<Int>) -> Range<Int> {
    let frames =
      spoken[words.lowerBound].frames.lowerBound..<spoken[words.upperBound - 1].frames.upperBound
    let free = evidence.free(around: words, in: spoken)
    return max(
      free.lowerBound, frames.lowerBound - Self.margin)..<min(
        free.upperBound, frames.upperBound + Self.margin)
  }
}
