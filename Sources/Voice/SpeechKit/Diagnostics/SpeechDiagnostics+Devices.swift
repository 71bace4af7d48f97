import Foundation
import SpeechConcurrency

extension SpeechDiagnostics {
  /// Checks of microphones and loudspeakers. Everything else works without them.
  static var devices: [Check] {
    let server =
      "start PipeWire or PulseAudio, and install libasound2-plugins so that it is reached."
    // A sound system that hangs is waited for once.
    let hangs = OnceFlag()
    return [
      Check(
        part: "devices.server", title: "Sound server", severity: .warning,
        remedy: "If there is no sound card that ALSA knows, \(server)"
      ) {
        try SoundServer.running()
      },
      Check(
        part: "devices.input", title: "Microphone", severity: .warning,
        remedy: "Connect a microphone, or \(server)"
      ) {
        let device = try await defaultDevice(.input, hangs)
        return "\(device.name): \(try await listen())"
      },
      Check(
        part: "devices.output", title: "Loudspeaker", severity: .warning,
        remedy: "Connect loudspeakers, or \(server)"
      ) {
        let device = try await defaultDevice(.output, hangs)
        try await playSilence()
        return "\(device.name): plays"
      },
    ]
  }

  /// The default device. Its absence is reported without the remedy, which the finding has.
  private static func defaultDevice(
    _ direction: AudioDirection, _ hangs: OnceFlag
  ) async throws -> AudioDevice {
    struct Timeout: Error {}
    let silence = Deficiency("the sound system does not answer")
    guard !hangs.isUp else { throw silence }
    do {
      return try await within(.seconds(2), on: ContinuousClock(), orThrow: Timeout()) {
        try await AudioDevices.find(.default, for: direction)
      }
    } catch AudioError.noDevice {
      throw Deficiency("there is none")
    } catch is Timeout {
      _ = hangs.raise()
      throw silence
    }
  }

  /// Records the first buffer, and reports its level.
  private static func listen() async throws -> String {
    let capture = try await PortAudioMicrophone().open()
    defer { capture.stop() }
    let late = Deficiency("nothing came from it within three seconds")
    return try await within(.seconds(3), on: ContinuousClock(), orThrow: late) {
      while let event = try await capture.read() {
        guard case .audio(let buffer) = event else { continue }
        let rate = "\(capture.format.sampleRate) Hz"
        return buffer.peak > 0 ? "\(rate), hears sound" : "\(rate), hears silence"
      }
      throw Deficiency("it ended at once")
    }
  }

  private static func playSilence() async throws {
    let format = AudioFormat(sampleRate: 22_050)
    let playback = try await PortAudioSpeaker().open(format)
    defer { playback.stop() }
    let late = Deficiency("it did not play within three seconds")
    try await within(.seconds(3), on: ContinuousClock(), orThrow: late) {
      try await playback.write(.silence(.milliseconds(100), format: format))
      try await playback.finish()
    }
  }
}

/// The sound servers that a program can connect to.
private enum SoundServer {
  /// The name of the server that answers.
  static func running() throws -> String {
    let environment = ProcessInfo.processInfo.environment
    let runtime = environment["XDG_RUNTIME_DIR"] ?? "/run/user/\(getuid())"
    if let address = environment["PULSE_SERVER"], !address.isEmpty {
      guard address.hasPrefix("unix:") || address.hasPrefix("/") else {
        return "PulseAudio at \(address) (from PULSE_SERVER)"
      }
      let path = address.hasPrefix("unix:") ? String(address.dropFirst(5)) : address
      guard answers(path) else {
        throw SpeechDiagnostics.Deficiency(
          "PULSE_SERVER is \(address), and no server answers there")
      }
      return "PulseAudio at \(path)"
    }
    if answers(runtime + "/pipewire-0") { return "PipeWire in \(runtime)" }
    if answers(runtime + "/pulse/native") { return "PulseAudio in \(runtime)" }
    throw SpeechDiagnostics.Deficiency("none answers in \(runtime)")
  }

  /// True if a server listens at that socket.
  private static func answers(_ path: String) -> Bool {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let room = MemoryLayout.size(ofValue: address.sun_path)
    let bytes = Array(path.utf8)
    guard bytes.count < room else { return false }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
  }
}
