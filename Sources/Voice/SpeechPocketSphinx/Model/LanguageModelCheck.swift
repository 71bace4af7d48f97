import CPhoneScores
import Foundation
import SpeechConcurrency
import SpeechCore
import SpeechLanguageModels

/// Checks a language model before the library loads it: the library trusts each count, length and
/// reference in a binary model, and ends the process over one that is wrong.
///
/// A model that passes cannot lead the library out of its memory by itself. The search for one of
/// its words stays within the range of n-grams that it was given, whatever their order, so the
/// ranges are checked and the order is not.
enum LanguageModelCheck {
  private static let known = Guarded<Set<FileStamp>>([])
  /// The largest logarithm, so that no sum of a sentence's overflows. Back-offs of 100 exist.
  private static let limit = 200 * BinaryModelFormat.scale

  /// - Throws: `SpeechRecognitionError.recognitionFailed` with the reason.
  static func check(_ url: URL) throws(SpeechRecognitionError) {
    let stamp = FileStamp(url)
    if let stamp, known.withLock({ $0.contains(stamp) }) { return }
    guard let data = try? Data(contentsOf: url, options: .mappedIfSafe) else {
      throw broken(url, "it cannot be read")
    }
    guard !data.isEmpty else { throw broken(url, "it is empty") }
    guard data.starts(with: BinaryModelFormat.title) else { return }
    do throws(LanguageModelError) {
      try data.withUnsafeBytes { bytes in
        Result { () throws(LanguageModelError) in try check(bytes) }
      }.get()
    } catch {
      throw broken(url, error.reason)
    }
    if let stamp { known.withLock { _ = $0.insert(stamp) } }
  }

  private static func broken(_ url: URL, _ reason: String) -> SpeechRecognitionError {
    .recognitionFailed(
      "The language model “\(url.path)” cannot be used: \(reason). Install "
        + "\(PocketSphinxModel.package) again, or choose another one.")
  }

  private static func check(_ bytes: UnsafeRawBufferPointer) throws(LanguageModelError) {
    let layout = try BinaryModelLayout(bytes)
    guard let start = bytes.baseAddress else { return }
    let counts = layout.counts.map { UInt32($0) }
    func longer(_ index: Int) -> UInt32 { index < counts.count ? counts[index] : 0 }
    var reached: UInt32 = 0
    try explain(
      skph_check_words(start + layout.singles, counts[0], longer(1), limit, &reached), length: 1)
    for (index, level) in layout.levels.enumerated() {
      var ngrams = skph_ngrams()
      ngrams.bytes = (start + level.position).assumingMemoryBound(to: UInt8.self)
      ngrams.word_bits = Int32(level.packing.wordBits)
      ngrams.next_bits = Int32(level.packing.nextBits ?? 0)
      ngrams.is_longest = level.packing.nextBits == nil ? 1 : 0
      ngrams.count = reached
      ngrams.words = counts[0]
      ngrams.longer = longer(index + 2)
      ngrams.probabilities = start + level.probabilities
      ngrams.back_offs = level.backOffs.map { start + $0 }
      try explain(skph_check_ngrams(&ngrams, limit, &reached), length: index + 2)
    }
  }

  private static func explain(_ result: Int32, length: Int) throws(LanguageModelError) {
    let reason: String
    switch Int(result) {
    case skph_ngrams_sound: return
    case skph_ngrams_misplaced: reason = "do not fit together with longer ones"
    case skph_ngrams_unknown: reason = "have an unknown word"
    default: reason = "have a probability that is none"
    }
    throw LanguageModelError(reason: "its n-grams of length \(length) \(reason)")
  }
}
