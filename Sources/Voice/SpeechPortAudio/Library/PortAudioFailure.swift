import CPortAudio

/// An error code of PortAudio, with the messages of PortAudio and of the sound system.
struct PortAudioFailure: Error, Equatable {
  let code: Int
  let reason: String

  /// PortAudio reported success without a stream.
  static let internalError = PortAudioFailure(code: 0, reason: "PortAudio gave no stream")

  private init(code: Int, reason: String) {
    self.code = code
    self.reason = reason
  }

  /// Creates the failure of a call; `nil` if it succeeded. Must be created right after the call, on
  /// its thread, because the next call overwrites the message of the sound system.
  init?(_ code: PaError) {
    guard code < 0 else { return nil }
    self.code = Int(code)
    var reason = Pa_GetErrorText(code).map { String(cString: $0) } ?? "PortAudio error \(code)"
    // Other codes do not update this message.
    if code == paUnanticipatedHostError.rawValue, let info = Pa_GetLastHostErrorInfo(),
      let text = info.pointee.errorText
    {
      let message = String(cString: text)
      if !message.isEmpty { reason += " (\(message))" }
    }
    self.reason = reason
  }

  /// True if another sample rate may be accepted.
  var concernsRate: Bool { code == Int(paInvalidSampleRate.rawValue) }
}
