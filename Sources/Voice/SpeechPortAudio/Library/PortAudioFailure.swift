import CPortAudio

/// An error code of PortAudio and what PortAudio and the system below it say about it.
struct PortAudioFailure: Error, Equatable {
  let code: Int
  let reason: String

  /// PortAudio said all was well, and gave nothing.
  static let internalError = PortAudioFailure(code: 0, reason: "PortAudio gave no stream")

  private init(code: Int, reason: String) {
    self.code = code
    self.reason = reason
  }

  /// The failure of a call, nil when it succeeded. To be made right after the call, on its thread,
  /// because the message of the system below is overwritten by the next one.
  init?(_ code: PaError) {
    guard code < 0 else { return nil }
    self.code = Int(code)
    var reason = Pa_GetErrorText(code).map { String(cString: $0) } ?? "PortAudio error \(code)"
    // Other codes leave an older message there.
    if code == paUnanticipatedHostError.rawValue, let info = Pa_GetLastHostErrorInfo(),
      let text = info.pointee.errorText
    {
      let message = String(cString: text)
      if !message.isEmpty { reason += " (\(message))" }
    }
    self.reason = reason
  }

  /// Whether another sample rate may be accepted.
  var concernsRate: Bool { code == Int(paInvalidSampleRate.rawValue) }
}
