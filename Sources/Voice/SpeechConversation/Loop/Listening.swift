import SpeechCore

/// The state of a loop's listening.
struct Listening {
  /// The number of times that listening has begun. The end of an earlier listening is ignored.
  private(set) var count = 0
  /// The beginning of listening on the loop's clock.
  private(set) var origin = Duration.zero
  /// The hearing of a recogniser that reports results alone.
  var resultHearing = ResultHearing()
  /// The final results that belong to the next turn.
  var results: [SpeechRecognitionResult] = []
  /// The last instruction to the recogniser about the wake word; `nil` before the first.
  var expectsKeyPhrase: Bool?
  /// True once a recogniser of finite input, such as a file, has come to its end.
  var inputHasEnded = false
  /// Reads what is heard.
  var reader: Task<Void, Never>?
  /// Starts listening again after a failure.
  var retry: Task<Void, Never>?

  /// Notes that listening has begun, and returns its number.
  mutating func begin(at time: Duration) -> Int {
    count += 1
    origin = time
    resultHearing = ResultHearing()
    return count
  }
}
