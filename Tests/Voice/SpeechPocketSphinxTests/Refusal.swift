import SpeechCore

/// The reason of the recognition error that the body throws; `nil` without one.
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
