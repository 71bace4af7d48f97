import SpeechAudio

extension VoiceEngineOutput {
  /// Creates an output with that audio as a WAV file, with its rate and duration in the metadata.
  package init(wav audio: PCMBuffer, metadata: [String: String]) throws {
    let facts = [
      "sampleRate": String(audio.format.sampleRate), "frames": String(audio.frameCount),
    ]
    do {
      self.init(
        audioData: try AudioFile.encode(audio, as: .wav), audioFormat: .wav,
        metadata: metadata.merging(facts) { given, _ in given })
    } catch {
      throw SpeechSynthesisProviderError.unknown(
        "The speech could not be written as WAV: \(error.localizedDescription)")
    }
  }
}
