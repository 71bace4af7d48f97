import ConformanceTesting
import Foundation
import SpeechAudio
import SpeechConcurrency
import TestSupport
import Testing

@testable import SpeechPortAudio

extension DeviceTests {
  @Suite(.serialized, .needsSoundDevice) struct Loss {
    @Test func `without any device opening fails at once with that reason`() async throws {
      try await withSoundServer { _ in
        let limit: Duration = Sanitizer.watchesThreads ? .seconds(5) : .seconds(1)
        var begun = ContinuousClock.now
        await #expect(throws: AudioError.noDevice(.input)) {
          try await PortAudioMicrophone().open()
        }
        #expect(ContinuousClock.now - begun < limit)
        begun = .now
        await #expect(throws: AudioError.noDevice(.output)) {
          try await PortAudioSpeaker().open(.recognition)
        }
        #expect(ContinuousClock.now - begun < limit)
        let devices = try await AudioDevices.list()
        #expect(devices == [])
      }
      // The devices are back.
      let capture = try await PortAudioMicrophone().open()
      capture.stop()
    }

    @Test func `a sound server that dies is reported within a second, and so is its return`()
      async throws
    {
      try await withSoundServer { server in
        try await server.start()
        let listener = Listener(try await PortAudioMicrophone().open())
        try await listener.wait { $0.samples.count > 8_000 }
        let killed = ContinuousClock.now
        await server.kill()
        try await listener.wait { $0.has(\.isInterruption) }
        let told = try #require(await listener.events.first?.at)
        #expect(told - killed < .seconds(1))
        let before = await listener.samples.count

        try await server.start()
        let back = ContinuousClock.now
        try await listener.wait { $0.has { $0 == .resumed } }
        try await listener.wait { $0.samples.count > before + 8_000 }
        let events = await listener.events
        // A server that has just started may fail once more before its sink runs steadily.
        guard events.count >= 3, case .gap(let lost) = events[1].event, events[2].event == .resumed
        else {
          Issue.record("\(events.map(\.event))")
          return
        }
        #expect(events[2].at - back < .seconds(4))
        let away = (events[2].at - killed).inSeconds
        #expect(abs(Double(lost) / 16_000 - away) < 0.5)
        try await listener.finish()
      }
    }

    @Test(
      .disabled(
        if: Sanitizer.watchesThreads,
        "PortAudio cancels its thread if it hangs, which the thread sanitizer reports as an error"
      ))
    func
      `a sound server that hangs is reported within a second, and stopping does not wait for it`()
      async throws
    {
      try await withSoundServer { server in
        try await server.start()
        let listener = Listener(try await PortAudioMicrophone().open())
        try await listener.wait { $0.samples.count > 8_000 }
        let stopped = ContinuousClock.now
        server.signal(SIGSTOP)
        try await listener.wait { $0.has(\.isInterruption) }
        #expect(ContinuousClock.now - stopped < .seconds(1))
        let stopping = ContinuousClock.now
        try await listener.finish()
        #expect(ContinuousClock.now - stopping < .seconds(1))
        server.signal(SIGCONT)
        // The stream continues when the server does.
        let deadline = ContinuousClock.now + .seconds(10)
        while PortAudioLibrary.shared.openStreams > 0, ContinuousClock.now < deadline {
          _ = try? await AudioDevices.list()
        }
        #expect(PortAudioLibrary.shared.openStreams == 0)
      }
    }

    @Test func `a playback resumes with unheard audio when its device is back`() async throws {
      try await withSoundServer { server in
        try await server.start()
        let sound = noise(.seconds(2))
        let playback = try await PortAudioSpeaker(returnTimeout: .seconds(20)).open(sound.format)
        let writing = Task {
          try await playback.write(sound)
          try await playback.finish()
        }
        try await within(.seconds(5)) { try await playback.waitUntilPlayed(8_000) }
        await server.kill()
        let position = playback.playedFrames
        #expect(position < 16_000)
        try await server.start()
        try await within(.seconds(20)) { try await writing.value }
        #expect(playback.playedFrames == sound.frameCount)
        // All was played; only frames that had been sent and not heard were sent again.
        let again = playback.statistics.frames - sound.frameCount
        #expect((0...8_000).contains(again))
      }
    }

    @Test func `a playback whose device does not come back fails`() async throws {
      try await withSoundServer { server in
        try await server.start()
        let playback = try await PortAudioSpeaker(returnTimeout: .seconds(1)).open(.recognition)
        let writing = Task { try await playback.write(noise(.seconds(5))) }
        try await within(.seconds(5)) { try await playback.waitUntilPlayed(4_000) }
        await server.kill()
        let begun = ContinuousClock.now
        let error = await #expect(throws: AudioError.self) {
          try await within(.seconds(5)) { try await writing.value }
        }
        #expect(ContinuousClock.now - begun < .seconds(3))
        guard case .deviceLost? = error else {
          Issue.record("\(String(describing: error))")
          return
        }
      }
    }

    @Test func `nothing of the libraries reaches standard error`() async throws {
      let written = try await standardError {
        try await withSoundServer { server in
          _ = try await AudioDevices.list()
          _ = try? await PortAudioMicrophone().open()
          try await server.start()
          let capture = try await PortAudioMicrophone().open()
          let playback = try await PortAudioSpeaker().open(.recognition)
          _ = try await within(.seconds(5)) { try await capture.read() }
          capture.stop()
          playback.stop()
          _ = try await AudioDevices.list()
        }
      }
      expectSilence(written)
    }

    @Test func `losing a device writes nothing to standard error`() async throws {
      AudioDevices.hideLibraryMessages()
      let written = try await standardError {
        try await withSoundServer { server in
          try await server.start()
          let capture = try await PortAudioMicrophone().open()
          _ = try await within(.seconds(5)) { try await capture.read() }
          await server.kill()
          while let event = try await within(.seconds(5), { try await capture.read() }),
            !event.isInterruption
          {}
          capture.stop()
        }
        // Only PortAudio is silent.
        perror("The program's own words")
      }
      #expect(written.contains("The program's own words"))
      expectSilence(written)
    }

    /// Other output of this process is not checked.
    private func expectSilence(_ written: String) {
      for word in ["ALSA", "alsa", "jack", "Jack", "JACK", "pulse", "Connection", "Expression"] {
        #expect(!written.contains(word))
      }
    }

    /// The text that arrives at standard error while the body runs.
    private func standardError(_ body: () async throws -> Void) async throws -> String {
      let file = FileManager.default.temporaryDirectory
        .appendingPathComponent("standard-error.\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: file) }
      let kept = dup(STDERR_FILENO)
      let target = open(file.path, O_WRONLY | O_CREAT, 0o600)
      dup2(target, STDERR_FILENO)
      close(target)
      defer { close(kept) }
      do {
        defer { dup2(kept, STDERR_FILENO) }
        try await body()
      }
      return try String(contentsOf: file, encoding: .utf8)
    }
  }
}
