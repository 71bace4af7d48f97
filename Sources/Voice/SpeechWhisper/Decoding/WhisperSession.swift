import CWhisper
import Foundation
import SpeechAudio
import SpeechConcurrency
import SpeechCore

/// Decodes audio with a model of its own, one piece after the other, on a queue of its own.
///
/// A model sees 30 seconds at once. Shorter audio is decoded in a shorter window, which costs a
/// fraction, but makes the model repeat itself sometimes. Such a reading is discarded, and the
/// audio decoded again in a longer window.
actor WhisperSession {
  private let executor = SerialQueueExecutor(label: "SpeechKit.whisper")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let model: WhisperModel
  private let state: WhisperState
  private let configuration: WhisperConfiguration
  private let language: String?
  private let grammar: WhisperGrammar?

  /// The length of audio that is decoded at once, in seconds. More would fit into a window, but the
  /// memory of the encoder grows with the square of the window. Cutting costs words in speech
  /// without pauses, so it is not much less.
  private static let maximumLength = 24.0
  /// Shorter audio contains no word.
  private static let minimumLength = Duration.milliseconds(100)
  /// The level of audio without any sound, in decibels, in which models hear “you”.
  private static let silence = -75.0
  /// The mean log probability below which a reading is not trusted.
  private static let minimumLogProbability: Float = -1

  init(
    _ model: WhisperModel, configuration: WhisperConfiguration, language: String?
  ) throws(SpeechRecognitionError) {
    self.model = model
    state = try WhisperState(model)
    self.configuration = configuration
    self.language = language
    grammar = try configuration.grammar.map { grammar throws(SpeechRecognitionError) in
      do {
        return try WhisperGrammar(grammar)
      } catch {
        throw .recognitionFailed(error.localizedDescription)
      }
    }
  }

  /// Returns the words in the audio.
  ///
  /// - Parameters:
  ///   - context: the words before the audio.
  ///   - isDraft: takes the first reading, and nothing if that is not trusted.
  ///   - threads: the number of threads.
  ///   - stop: ends the decoding when it is raised.
  /// - Throws: `SpeechRecognitionError` if the library fails, `CancellationError` if it was
  ///   stopped.
  func read(
    _ audio: PCMBuffer, after context: String, isDraft: Bool, threads: Int, stop: OnceFlag
  ) throws -> WhisperReading {
    var reading = WhisperReading()
    guard audio.duration >= Self.minimumLength, audio.level > Self.silence else { return reading }
    var position = 0
    for piece in audio.pieces(upTo: Self.maximumLength) {
      guard !stop.isUp else { throw CancellationError() }
      let window = Window(
        samples: piece.samples.map { Float($0) / 32_768 },
        prompt: configuration.prompt(after: context), threads: threads, stop: stop)
      let start = Double(position) / Double(audio.format.sampleRate)
      reading.append(try read(window, isDraft: isDraft), at: start)
      position += piece.frameCount
    }
    guard let grammar else { return configuration.punctuates ? reading : reading.plain() }
    return reading.sentence(of: grammar, atLeast: configuration.minimumConfidence)
  }

  private struct Window {
    var samples: [Float]
    var prompt: String?
    var threads: Int
    var stop: OnceFlag

    var seconds: Double { Double(samples.count) / 16_000 }
    /// The number of frames of the encoder, 50 for each second, that covers the audio and a margin.
    var frames: Int { min(1_500, (max(512, Int(50 * (seconds + 1))) + 7) / 8 * 8) }
    /// The number of frames for audio that is decoded again: all, unless much fewer cover it.
    var longFrames: Int { frames <= 800 ? 1_024 : 1_500 }
  }

  private func read(_ window: Window, isDraft: Bool) throws -> WhisperReading {
    let short = try decode(window) { settings in
      settings.audio_ctx = CInt(min(window.frames, model.file.audioContext))
      settings.no_timestamps = true
      settings.single_segment = true
      settings.temperature_inc = 0
      settings.max_tokens = CInt(8 * window.seconds) + 16
    }
    // Without words, because the audio contains no speech.
    guard !short.isEmpty else { return short }
    // What is unlikely with a grammar is other speech.
    let isUnlikely = grammar == nil && short.logProbability < Self.minimumLogProbability
    guard short.repeatsItself || isUnlikely else { return short }
    if isDraft { return WhisperReading() }
    var long = try decode(window) { settings in
      settings.audio_ctx = CInt(min(window.longFrames, model.file.audioContext))
      settings.temperature_inc = 0.2
    }
    long.breakLoops()
    return long
  }

  private func decode(
    _ window: Window, _ adjust: (inout whisper_full_params) -> Void
  ) throws -> WhisperReading {
    let functions = model.library.functions
    var settings = functions.defaults(0)
    settings.print_progress = false
    settings.print_timestamps = false
    settings.n_threads = CInt(window.threads)
    settings.greedy.best_of = 1
    settings.translate = configuration.translates
    settings.abort_callback = { stop in
      stop.map { Unmanaged<OnceFlag>.fromOpaque($0).takeUnretainedValue().isUp } ?? false
    }
    settings.abort_callback_user_data = Unmanaged.passUnretained(window.stop).toOpaque()
    settings.encoder_begin_callback = { _, _, stop in
      stop.map { !Unmanaged<OnceFlag>.fromOpaque($0).takeUnretainedValue().isUp } ?? true
    }
    settings.encoder_begin_callback_user_data = settings.abort_callback_user_data
    adjust(&settings)
    WhisperLog.clear()
    let code = withOptionalCString(language) { language in
      withOptionalCString(window.prompt) { prompt in
        settings.language = language
        settings.initial_prompt = prompt
        return window.samples.withUnsafeBufferPointer { samples in
          limited(&settings) { settings in
            functions.decode(
              model.context, state.pointer, settings, samples.baseAddress, CInt(samples.count))
          }
        }
      }
    }
    guard !window.stop.isUp else { throw CancellationError() }
    guard code == 0 else {
      throw SpeechRecognitionError.recognitionFailed(
        "whisper.cpp could not decode the audio (code \(code))\(WhisperLog.reason). Use a smaller "
          + "model if memory is short.")
    }
    return reading(duration: window.seconds)
  }

  private func limited<Result>(
    _ settings: inout whisper_full_params, _ body: (whisper_full_params) -> Result
  ) -> Result {
    guard let grammar else { return body(settings) }
    return grammar.limit(&settings, body)
  }

  private func reading(duration: Double) -> WhisperReading {
    let functions = model.library.functions
    let endOfText = functions.endOfText(model.context)
    var tokens: [WhisperToken] = []
    for segment in 0..<max(0, functions.segmentCount(state.pointer)) {
      for index in 0..<max(0, functions.tokenCount(state.pointer, segment)) {
        let data = functions.tokenData(state.pointer, segment, index)
        guard data.id < endOfText,
          let text = functions.tokenText(model.context, state.pointer, segment, index)
        else { continue }
        tokens.append(
          WhisperToken(
            bytes: Array(UnsafeRawBufferPointer(start: text, count: strlen(text))),
            probability: data.p, logProbability: data.plog,
            end: data.t_dtw >= 0 ? Double(data.t_dtw) / 100 : nil))
      }
    }
    var reading = WhisperReading(tokens, duration: duration)
    if model.file.isMultilingual,
      let name = functions.languageName(functions.languageOf(state.pointer))
    {
      reading.language = String(cString: name)
    }
    return reading
  }
}

private func withOptionalCString<Result>(
  _ text: String?, _ body: (UnsafePointer<CChar>?) -> Result
) -> Result {
  guard let text else { return body(nil) }
  return text.withCString { body($0) }
}

extension PCMBuffer {
  /// The audio in pieces of at most that many seconds, cut where it is quietest.
  func pieces(upTo seconds: Double) -> [PCMBuffer] {
    let maximum = Int(seconds * Double(format.sampleRate))
    var pieces: [PCMBuffer] = []
    var start = 0
    while frameCount - start > maximum {
      let end = quietestFrame(in: start + maximum * 4 / 5..<start + maximum)
      pieces.append(slice(start..<end))
      start = end
    }
    pieces.append(slice(start..<frameCount))
    return pieces
  }

  /// The middle of the quietest tenth of a second in that range.
  func quietestFrame(in range: Range<Int>) -> Int {
    let length = format.sampleRate / 10
    let starts = stride(from: range.lowerBound, through: range.upperBound - length, by: length / 2)
    func energy(_ start: Int) -> Int {
      samples[start..<start + length].reduce(0) { $0 + Int($1) * Int($1) }
    }
    let quietest = starts.map { (energy($0), $0) }.min { $0.0 < $1.0 }
    return (quietest?.1 ?? range.lowerBound) + length / 2
  }
}
