import SpeechCore

/// The part of the library that a decoding changes: the caches and results of one decoder.
struct WhisperState: ~Copyable {
  let pointer: OpaquePointer
  private let model: WhisperModel

  init(_ model: WhisperModel) throws(SpeechRecognitionError) {
    WhisperLog.clear()
    guard let pointer = model.library.functions.makeState(model.context) else {
      throw .recognitionFailed(
        "whisper.cpp has no memory for another decoder\(WhisperLog.reason). Use a smaller model.")
    }
    self.pointer = pointer
    self.model = model
  }

  deinit { model.library.functions.freeState(pointer) }
}
