import CPocketSphinx
import Foundation
import SpeechCore

/// One `ps_decoder_t`: made by a throwing `init`, freed with the value.
///
/// The calls are the library's own, one to one. What it does not survive (audio after the end, a new
/// search in mid-utterance, a word without phones) is kept away by the type that owns the handle.
struct PocketSphinxHandle: ~Copyable {
  private let decoder: OpaquePointer
  /// Because the library may keep pointers to its arguments, they live as long as it does.
  private let arguments: CStringList

  /// A decoder for these options, names and values in turn.
  ///
  /// - Throws: `SpeechRecognitionError.recognitionFailed` with what the library says.
  init(options: [String]) throws(SpeechRecognitionError) {
    let list = CStringList(["speechkit"] + options)
    let (created, errors) = PocketSphinxLog.collectingErrors {
      skps_create(Int32(list.count), list.pointer)
    }
    guard let created else {
      throw .recognitionFailed(
        "PocketSphinx could not start: \(Self.joined(errors)). Check the model with "
          + "`speechkit doctor`.")
    }
    decoder = created
    arguments = list
  }

  deinit { skps_free(decoder) }

  private static func joined(_ errors: [String]) -> String {
    errors.isEmpty ? "it gave no reason" : errors.suffix(3).joined(separator: "; ")
  }

  private func check(
    _ task: String, _ call: (OpaquePointer) -> Int32
  ) throws(SpeechRecognitionError) {
    let (code, errors) = PocketSphinxLog.collectingErrors { call(decoder) }
    guard code < 0 else { return }
    throw .recognitionFailed("PocketSphinx could not \(task): \(Self.joined(errors)).")
  }
}

// MARK: - Vocabulary and searches

extension PocketSphinxHandle {
  /// How the word is spoken, in phones; `nil` if the dictionary does not hold it.
  func phones(of word: String) -> String? {
    guard let phones = skps_copy_phones(decoder, word) else { return nil }
    defer { free(phones) }
    return String(cString: phones)
  }

  func add(word: String, phones: String, isLast: Bool) throws(SpeechRecognitionError) {
    try check("add the word “\(word)”") { skps_add_word($0, word, phones, isLast ? 1 : 0) }
  }

  func use(grammar: String) throws(SpeechRecognitionError) {
    try check("take the grammar") { skps_use_grammar($0, grammar) }
  }

  func use(keyPhraseFile path: String) throws(SpeechRecognitionError) {
    try check("take the key phrases") { skps_use_key_phrases($0, path) }
  }
}

// MARK: - Utterances

extension PocketSphinxHandle {
  func start() throws(SpeechRecognitionError) {
    try check("begin an utterance") { skps_start($0) }
  }

  func process(_ samples: ArraySlice<Int16>) throws(SpeechRecognitionError) {
    try check("hear the sound") { decoder in
      samples.withUnsafeBufferPointer { skps_process(decoder, $0.baseAddress, $0.count) }
    }
  }

  func processWhole(_ samples: ArraySlice<Int16>) throws(SpeechRecognitionError) {
    try check("hear the sound") { decoder in
      samples.withUnsafeBufferPointer { skps_process_whole(decoder, $0.baseAddress, $0.count) }
    }
  }

  func end() throws(SpeechRecognitionError) {
    try check("end the utterance") { skps_end($0) }
  }
}

// MARK: - Results

/// A stretch of the best path.
struct PathSegment {
  var word: String
  /// The first and the last frame, a hundredth of a second each.
  var firstFrame: Int
  var lastFrame: Int
  /// How well the sound fits, in the library's logarithm; the best possible sound has 0.
  var acousticScore: Int
  /// The share of all paths through the lattice that have this word here.
  var posterior: Double
}

extension PocketSphinxHandle {
  /// The words up to now, fillers left out by the library; `nil` if there are none.
  var hypothesis: String? { skps_hypothesis(decoder).map { String(cString: $0) } }

  /// The best path; empty if there is none.
  var segments: [PathSegment] {
    var segments: [PathSegment] = []
    var next = skps_first_segment(decoder)
    while let segment = next {
      var first: Int32 = 0
      var last: Int32 = 0
      var acoustic: Int32 = 0
      var posterior: Int32 = 0
      skps_segment_values(segment, &first, &last, &acoustic, &posterior)
      if let word = skps_segment_word(segment) {
        segments.append(
          PathSegment(
            word: String(cString: word), firstFrame: Int(first), lastFrame: Int(last),
            acousticScore: Int(acoustic), posterior: skps_probability(decoder, posterior)))
      }
      next = skps_next_segment(segment)  // frees itself behind the last one
    }
    return segments
  }

  /// Up to so many readings with their path scores, the best first, repeated ones included.
  func alternatives(limit: Int) -> [(text: String, score: Int)] {
    var found: [(text: String, score: Int)] = []
    guard limit > 0 else { return found }
    var next = skps_first_alternative(decoder)
    while let list = next {
      var score: Int32 = 0
      if let text = skps_alternative_text(list, &score) {
        found.append((String(cString: text), Int(score)))
      }
      if found.count >= limit {
        skps_free_alternatives(list)
        break
      }
      next = skps_next_alternative(list)  // frees itself behind the last one
    }
    return found
  }

  /// A log value of this decoder as a share of one.
  func probability(ofLog value: Int) -> Double {
    skps_probability(decoder, Int32(clamping: value))
  }
}

// MARK: - Cepstral mean

extension PocketSphinxHandle {
  /// Whether each utterance is normalised by its own mean, which takes whole utterances.
  func useOwnMean(_ own: Bool) { skps_use_own_mean(decoder, own ? 1 : 0) }

  /// The mean to subtract, and what to mix with the frames to come.
  func set(mean: CepstralMean, remembered: CepstralMean) {
    guard mean.values.count == meanLength, remembered.values.count == meanLength else { return }
    skps_set_mean(decoder, mean.values, remembered.values, Int32(remembered.frames))
  }

  /// Lets the mean follow what was heard.
  func updateMean() { skps_update_mean(decoder) }

  var mean: [Float] {
    var values = [Float](repeating: 0, count: meanLength)
    skps_get_mean(decoder, &values)
    return values
  }

  var meanLength: Int { Int(skps_mean_length(decoder)) }

  /// The mean of these samples alone; `nil` if nothing can be told. Between utterances only.
  func measureMean(of samples: ArraySlice<Int16>) -> CepstralMean? {
    var sum = [Double](repeating: 0, count: meanLength)
    let frames = samples.withUnsafeBufferPointer {
      skps_sum_cepstra(decoder, $0.baseAddress, $0.count, &sum)
    }
    guard frames > 0 else { return nil }
    return CepstralMean(values: sum.map { Float($0 / Double(frames)) }, frames: Int(frames))
  }
}
