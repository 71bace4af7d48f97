import SpeechAudio

extension VoiceEngineOutput {
  /// An output of that sound as a WAV file, with its rate and duration added to the metadata.
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
