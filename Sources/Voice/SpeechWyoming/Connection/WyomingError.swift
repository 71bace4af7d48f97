import Foundation

/// An error of a connection to an engine. The decoder and the voice report it in their own domain.
enum WyomingError: Error, Equatable {
  /// The text is not the address of an engine.
  case invalidAddress(String)
  /// There is no connection, with the reason.
  case notConnected(String, reason: String)
  /// The engine ended the connection or its process, with its last words if there are any.
  case lost(String, lastWords: String?)
  /// The engine violates the protocol.
  case against(String, reason: String)
  /// The engine did nothing within the time limit.
  case timedOut(String, Duration)
  /// The engine reports an error.
  case refused(String, text: String, code: String?)
  /// The engine answered before the end of the audio, and misses what follows.
  case early(String)
  /// The engine lacks what is needed; the text contains the remedy.
  case unsuitable(String)
  /// Connections are forbidden.
  case offline(String)

  /// True if the same may succeed over another connection.
  var isLoss: Bool {
    switch self {
    case .notConnected, .lost: true
    case .invalidAddress, .against, .timedOut, .refused, .early, .unsuitable, .offline: false
    }
  }
}

extension WyomingError: LocalizedError {
  var errorDescription: String? {
    switch self {
    case .invalidAddress(""):
      "The name of a Wyoming engine needs its address. Use for example wyoming:localhost:10300, "
        + "wyoming:unix:/run/engine.socket or wyoming:exec:wyoming-faster-whisper …."
    case .invalidAddress(let text):
      "“\(text)” is not the address of a Wyoming engine. Use for example localhost:10300, "
        + "unix:/run/engine.socket or exec:wyoming-faster-whisper …."
    case .notConnected(let address, let reason):
      "The Wyoming engine at \(address) cannot be reached: \(reason). Start it, or correct its "
        + "address."
    case .lost(let address, let lastWords?):
      "The Wyoming engine at \(address) ended. Its last line was “\(lastWords)”. Correct what it "
        + "reports, and try again."
    case .lost(let address, nil):
      "The Wyoming engine at \(address) ended the connection before its answer. See its log for "
        + "the reason."
    case .against(let address, let reason):
      "The server at \(address) does not keep to the Wyoming protocol: \(reason). Check that the "
        + "address is that of a Wyoming engine, and update the engine."
    case .timedOut(let address, let limit):
      "The Wyoming engine at \(address) did not answer within \(Int(limit / .seconds(1))) seconds. "
        + "Restart it, or choose a smaller model."
    case .refused(let address, let text, let code):
      "The Wyoming engine at \(address) reports an error: \(text)"
        + (code.map { " (\($0))" } ?? "") + ". See its log for the reason."
    case .early(let address):
      "The Wyoming engine at \(address) answered before the end of the audio, and missed the rest. "
        + "Switch off its own detection of the end, such as --vad-endpointing."
    case .unsuitable(let text): text
    case .offline(let address):
      "There is no connection to the Wyoming engine at \(address), because SPEECHKIT_OFFLINE "
        + "forbids connections."
    }
  }
}
