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

  /// All pronunciations of a word; none if the dictionary does not hold it.
  func pronunciations(of word: String) -> [[String]] {
    guard var phones = phones(of: word) else { return [] }
    var found: [[String]] = []
    while found.count < 100 {
      found.append(phones.split(separator: " ").map(String.init))
      guard let next = self.phones(of: "\(word)(\(found.count + 1))") else { break }
      phones = next
    }
    return found
  }

  func use(languageModel path: String) throws(SpeechRecognitionError) {
    try check("take the language model “\(path)”") { skps_use_language_model($0, path) }
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

  /// Hears these frames instead of the sound that they were computed from.
  func process(_ cepstra: ArraySlice<Float>) throws(SpeechRecognitionError) {
    var cepstra = cepstra
    try check("hear the sound") { decoder in
      cepstra.withUnsafeMutableBufferPointer {
        skps_process_cepstra(decoder, $0.baseAddress, Int32($0.count / cepstrumLength))
      }
    }
  }

  /// How many frames of the utterance were heard; still there when it is over.
  var frameCount: Int { Int(skps_frame_count(decoder)) }

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
  /// Whether the mean that was set is subtracted from what is heard, or nothing.
  func subtractKnownMean(_ subtract: Bool) { skps_subtract_known_mean(decoder, subtract ? 1 : 0) }

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
}

// MARK: - Cepstra

extension PocketSphinxHandle {
  private var cepstrumLength: Int { Int(skps_cepstrum_length(decoder)) }

  /// The cepstra of these samples. Between utterances only.
  func cepstra(of samples: ArraySlice<Int16>) throws(SpeechRecognitionError) -> Cepstra {
    let width = cepstrumLength
    var values = [Float](repeating: 0, count: Int(skps_frame_limit(samples.count)) * width)
    var frames: Int32 = 0
    try check("hear the sound") { decoder in
      frames = values.withUnsafeMutableBufferPointer { values in
        samples.withUnsafeBufferPointer {
          skps_cepstra(decoder, $0.baseAddress, $0.count, values.baseAddress)
        }
      }
      return frames
    }
    values.removeLast(values.count - Int(frames) * width)
    return Cepstra(values: values, width: width)
  }

  /// The same cepstra as the library decodes them in an utterance that it is given as a whole: without
  /// their own mean, and with their last frame repeated, for the features of the frames before it.
  func normalized(_ cepstra: Cepstra) throws(SpeechRecognitionError) -> Cepstra {
    var cepstra = cepstra
    let frames = Int32(cepstra.frameCount)
    try check("hear the sound") { decoder in
      cepstra.values.withUnsafeMutableBufferPointer {
        skps_subtract_own_mean(decoder, $0.baseAddress, frames)
      }
    }
    return cepstra.padded(by: framesAround)
  }

  /// How many frames on each side the features of a frame are made of.
  var framesAround: Int { Int(skps_frames_around(decoder)) }
}

// MARK: - Features

extension PocketSphinxHandle {
  /// What the acoustic model scores of these cepstra, which were normalised. Not while a known mean is
  /// subtracted.
  func features(of cepstra: Cepstra) throws(SpeechRecognitionError) -> Features {
    var cepstra = cepstra
    let frames = Int32(cepstra.frameCount)
    let width = Int(skps_feature_length(decoder))
    var values = [Float](repeating: 0, count: Int(frames) * width)
    var made: Int32 = 0
    try check("compute features") { decoder in
      made = cepstra.values.withUnsafeMutableBufferPointer { cepstra in
        values.withUnsafeMutableBufferPointer {
          skps_features_aside(decoder, cepstra.baseAddress, frames, $0.baseAddress)
        }
      }
      return made
    }
    values.removeLast(values.count - Int(made) * width)
    return Features(values: values, width: width)
  }
}
