import CPocketSphinx
import Foundation
import SpeechConcurrency
import SpeechCore

/// One `ps_decoder_t`: created by a throwing `init`, freed with the value.
///
/// The functions map one to one to those of the library. The owner of the handle prevents the calls
/// that crash it: audio after the end, a new search during an utterance, a word without phones.
struct PocketSphinxHandle: ~Copyable {
  let decoder: OpaquePointer
  /// Because the library may keep pointers to its arguments, they live as long as it does.
  private let arguments: CStringList
  /// Raised when the library runs out of memory. Its state is not known from then on, so it is
  /// neither used nor freed.
  private let isOutOfMemory = OnceFlag()

  /// Creates a decoder with these options, names and values in turn.
  ///
  /// - Throws: `SpeechRecognitionError.recognitionFailed` with the library's messages;
  ///   `outOfMemory`.
  init(options: [String]) throws(SpeechRecognitionError) {
    let list = CStringList(["speechkit"] + options)
    let (created, errors) = PocketSphinxLog.collectingErrors {
      skps_watch_memory()
      return skps_create(Int32(list.count), list.pointer)
    }
    guard skps_has_run_out() == 0 else { throw .outOfMemory }
    guard let created else {
      throw Self.failure(
        "PocketSphinx could not start: \(Self.joined(errors)). Check the model with "
          + "`speechkit doctor`.", errors)
    }
    decoder = created
    arguments = list
  }

  deinit {
    if !isOutOfMemory.isUp { skps_free(decoder) }
  }

  /// Calls the library; `nil` if it runs out of memory, or has before.
  func call<Result>(_ body: (OpaquePointer) -> Result) -> Result? {
    guard !isOutOfMemory.isUp else { return nil }
    skps_watch_memory()
    let result = body(decoder)
    guard skps_has_run_out() == 0 else {
      _ = isOutOfMemory.raise()
      return nil
    }
    return result
  }

  /// - Throws: `SpeechRecognitionError.outOfMemory` if the library has run out of memory.
  func checkMemory() throws(SpeechRecognitionError) {
    if isOutOfMemory.isUp { throw .outOfMemory }
  }

  /// The error for these messages. A part of the library that reports a lack of memory leaves the
  /// decision to its caller.
  private static func failure(_ text: String, _ errors: [String]) -> SpeechRecognitionError {
    let lack = String(cString: strerror(ENOMEM))
    return errors.contains { $0.contains(lack) } ? .outOfMemory : .recognitionFailed(text)
  }

  private static func joined(_ errors: [String]) -> String {
    errors.isEmpty ? "it gave no reason" : errors.suffix(3).joined(separator: "; ")
  }

  func check(
    _ task: String, _ call: (OpaquePointer) -> Int32
  ) throws(SpeechRecognitionError) {
    let (code, errors) = PocketSphinxLog.collectingErrors { self.call(call) }
    guard let code else { throw .outOfMemory }
    guard code < 0 else { return }
    throw Self.failure("PocketSphinx could not \(task): \(Self.joined(errors)).", errors)
  }
}

// MARK: - Vocabulary and searches

extension PocketSphinxHandle {
  /// The phones of the word; `nil` if the dictionary does not contain it.
  func phones(of word: String) -> String? {
    guard let phones = call({ skps_copy_phones($0, word) }) ?? nil else { return nil }
    defer { free(phones) }
    return String(cString: phones)
  }

  func add(word: String, phones: String, isLast: Bool) throws(SpeechRecognitionError) {
    try check("add the word “\(word)”") { skps_add_word($0, word, phones, isLast ? 1 : 0) }
  }

  /// All pronunciations of a word; empty if the dictionary does not contain it.
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
    try check("process the audio") { decoder in
      samples.withUnsafeBufferPointer { skps_process(decoder, $0.baseAddress, $0.count) }
    }
  }

  /// Processes these frames instead of the audio that they were computed from.
  func process(_ cepstra: ArraySlice<Float>) throws(SpeechRecognitionError) {
    var cepstra = cepstra
    try check("process the audio") { decoder in
      cepstra.withUnsafeMutableBufferPointer {
        skps_process_cepstra(decoder, $0.baseAddress, Int32($0.count / cepstrumLength))
      }
    }
  }

  func end() throws(SpeechRecognitionError) {
    try check("end the utterance") { skps_end($0) }
  }
}
