import Foundation
import SpeechAudio
import SpeechConcurrency

/// Owns a decoder and gives it concurrency: everything it does runs on a queue of its own, because
/// decoding blocks.
public actor RecognitionSession<Decoder: SpeechDecoder> {
  private let executor = SerialQueueExecutor(label: "SpeechKit.recognition")
  private let configuration: Decoder.Configuration
  private let locale: Locale
  private var loaded: Decoder?
  /// Whether a whole utterance is being decoded, and who waits to have another one decoded: a decoder
  /// that waits for a service would otherwise be given both at once.
  private var isDecoding = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// The queue that all of it runs on.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// A session for that language. The models are loaded with the first call.
  public init(configuration: Decoder.Configuration, locale: Locale) {
    self.configuration = configuration
    self.locale = locale
  }

  /// Loads the models, if that has not been done, and tells the format that the decoder hears.
  ///
  /// - Throws: `SpeechRecognitionError` when they cannot be loaded.
  @discardableResult
  public func prepare() throws -> AudioFormat {
    try decoder().format
  }

  /// Tells the decoder how long nobody has spoken.
  public func passSilence(_ duration: Duration) async throws {
    try await decoder().passSilence(duration)
  }

  /// Tells the decoder whether a key phrase has to be heard first.
  func expectKeyPhrase(_ isExpected: Bool) async throws {
    try await decoder().expectKeyPhrase(isExpected)
  }

  /// Begins an utterance.
  public func startUtterance() async throws {
    try await decoder().startUtterance()
  }

  /// Hears the next stretch of the utterance.
  public func process(_ audio: PCMBuffer) async throws -> DecoderUpdate {
    try await decoder().process(audio)
  }

  /// Ends the utterance; `nil` if there was nothing to recognise.
  public func finishUtterance(
    onPartial: @Sendable (String) async -> Void = { _ in }
  ) async throws -> DecodedUtterance? {
    try await decoder().finishUtterance(onPartial: onPartial)
  }

  /// Ends the utterance without a result.
  public func discardUtterance() async {
    await loaded?.discardUtterance()
  }

  /// Recognises an utterance that is there as a whole; several one after the other.
  public func decode(_ utterance: PCMBuffer) async throws -> DecodedUtterance? {
    while isDecoding { await withCheckedContinuation { waiting.append($0) } }
    isDecoding = true
    defer {
      isDecoding = false
      if !waiting.isEmpty { waiting.removeFirst().resume() }
    }
    return try await decoder().decode(utterance)
  }

  func decoder() throws -> Decoder {
    if let loaded { return loaded }
    let decoder = try Decoder(configuration: configuration, locale: locale)
    loaded = decoder
    return decoder
  }
}
