import CWhisper
import Foundation
import SpeechCore

/// The functions of the library.
struct WhisperFunctions: Sendable {
  typealias Context = OpaquePointer
  typealias State = OpaquePointer

  let setLog: @convention(c) @Sendable (WhisperLog.Callback?, UnsafeMutableRawPointer?) -> Void
  let contextDefaults: @convention(c) @Sendable () -> whisper_context_params
  let defaults: @convention(c) @Sendable (CInt) -> whisper_full_params
  let loadModel: @convention(c) @Sendable (UnsafePointer<CChar>, whisper_context_params) -> Context?
  let freeModel: @convention(c) @Sendable (Context) -> Void
  let makeState: @convention(c) @Sendable (Context) -> State?
  let freeState: @convention(c) @Sendable (State) -> Void
  let decode:
    @convention(c) @Sendable (
      Context, State, whisper_full_params, UnsafePointer<Float>?, CInt
    ) -> CInt
  let segmentCount: @convention(c) @Sendable (State) -> CInt
  let tokenCount: @convention(c) @Sendable (State, CInt) -> CInt
  let tokenData: @convention(c) @Sendable (State, CInt, CInt) -> whisper_token_data
  let tokenText: @convention(c) @Sendable (Context, State, CInt, CInt) -> UnsafePointer<CChar>?
  let noSpeechProbability: @convention(c) @Sendable (State, CInt) -> Float
  let endOfText: @convention(c) @Sendable (Context) -> whisper_token
  let isMultilingual: @convention(c) @Sendable (Context) -> CInt
  let languageOf: @convention(c) @Sendable (State) -> CInt
  let languageID: @convention(c) @Sendable (UnsafePointer<CChar>) -> CInt
  let languageName: @convention(c) @Sendable (CInt) -> UnsafePointer<CChar>?

  private let backendCount: (@convention(c) @Sendable () -> Int)?
  private let loadBackends: (@convention(c) @Sendable (UnsafePointer<CChar>) -> Void)?

  /// The version of the library, which those before 1.8 do not report.
  static func version(_ library: UnsafeMutableRawPointer) -> String? {
    guard let symbol = dlsym(library, "whisper_version") else { return nil }
    let version = unsafeBitCast(
      symbol, to: (@convention(c) () -> UnsafePointer<CChar>?).self)
    return version().map { String(cString: $0) }
  }

  init(_ library: UnsafeMutableRawPointer, file: String) throws(SpeechRecognitionError) {
    func find<Function>(_ name: String) throws(SpeechRecognitionError) -> Function {
      guard let symbol = dlsym(library, name) else {
        throw .recognitionFailed(
          "“\(file)” has no function \(name), so it cannot be used. Install a complete build of "
            + "whisper.cpp.")
      }
      return unsafeBitCast(symbol, to: Function.self)
    }
    setLog = try find("whisper_log_set")
    contextDefaults = try find("whisper_context_default_params")
    defaults = try find("whisper_full_default_params")
    loadModel = try find("whisper_init_from_file_with_params_no_state")
    freeModel = try find("whisper_free")
    makeState = try find("whisper_init_state")
    freeState = try find("whisper_free_state")
    decode = try find("whisper_full_with_state")
    segmentCount = try find("whisper_full_n_segments_from_state")
    tokenCount = try find("whisper_full_n_tokens_from_state")
    tokenData = try find("whisper_full_get_token_data_from_state")
    tokenText = try find("whisper_full_get_token_text_from_state")
    noSpeechProbability = try find("whisper_full_get_segment_no_speech_prob_from_state")
    endOfText = try find("whisper_token_eot")
    isMultilingual = try find("whisper_is_multilingual")
    languageOf = try find("whisper_full_lang_id_from_state")
    languageID = try find("whisper_lang_id")
    languageName = try find("whisper_lang_str")
    backendCount = try? find("ggml_backend_dev_count")
    loadBackends = try? find("ggml_backend_load_all_from_path")
  }

  /// True if the default settings are where the declarations of `CWhisper` have them. The text is
  /// compared last, because its address is not one unless the numbers are right.
  var hasKnownSettings: Bool {
    let settings = defaults(0)
    guard settings.strategy == 0, (1...64).contains(settings.n_threads), settings.audio_ctx == 0,
      settings.temperature_inc == 0.2, settings.entropy_thold == 2.4,
      settings.logprob_thold == -1, settings.no_speech_thold == 0.6, settings.greedy.best_of == 5,
      settings.abort_callback == nil, settings.grammar_rules == nil,
      settings.n_grammar_rules == 0, settings.i_start_rule == 0,
      settings.grammar_penalty == 100, let language = settings.language
    else { return false }
    return strcmp(language, "en") == 0
  }

  /// Loads the code for the processor, which some builds keep in plug-ins beside the library.
  func loadBackends(beside file: String) {
    guard let backendCount, let loadBackends, backendCount() == 0 else { return }
    loadBackends((Self.loadedPath(of: file) as NSString).deletingLastPathComponent)
  }

  /// The path of a library that the loader found by its name.
  private static func loadedPath(of file: String) -> String {
    guard !file.contains("/"),
      let maps = try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
    else { return file }
    let line = maps.split(separator: "\n").first { $0.contains("/" + file) }
    return line.flatMap { line in line.firstIndex(of: "/").map { String(line[$0...]) } } ?? file
  }
}
