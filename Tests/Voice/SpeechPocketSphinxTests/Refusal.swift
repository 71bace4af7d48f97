import SpeechCore

/// The reason for which recognition refuses; `nil` when it does not.
func refusal(_ body: () throws -> Void) -> String? {
  do {
    try body()
    return nil
  } catch let SpeechRecognitionError.recognitionFailed(reason) {
    return reason
  } catch {
    return "another error: \(error)"
  }
}
