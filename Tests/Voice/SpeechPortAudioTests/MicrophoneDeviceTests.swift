import ConformanceTesting
import Foundation
import SpeechAudio
import SpeechConcurrency
import TestSupport
import Testing

@testable import SpeechPortAudio

extension DeviceTests {
  @Suite(.serialized, .needsSoundDevice) struct Microphone {
    @Test func `devices are listed with their defaults`() async throws {
      let devices = try await AudioDevices.list()
      #expect(devices.filter(\.isDefaultInput).count == 1)
      #expect(devices.filter(\.isDefaultOutput).count == 1)
      #expect(devices.map(\.index) == Array(devices.indices))
      let pulse = try await AudioDevices.find(.name("PULSE"), for: .input)
      #expect(pulse.name == "pulse")
      #expect(pulse.hostAPI == "ALSA")
      await #expect(throws: AudioError.self) {
        try await AudioDevices.find(.name("no such device"), for: .input)
      }
    }

    @Test func `a microphone captures at 16 kHz, in frames of 20 ms, without loss`() async throws {
      let capture = try await within(.seconds(5)) { try await PortAudioMicrophone().open() }
      #expect(capture.format == .recognition)
      let begun = ContinuousClock.now
      let lengths = try await within(.seconds(10)) {
        var lengths: [Int] = []
        while lengths.count < 100, case .audio(let sound)? = try await capture.read() {
          lengths.append(sound.frameCount)
        }
        return lengths
      }
      #expect(lengths == [Int](repeating: 320, count: 100))
      // Two seconds of audio arrive in about two seconds.
      let took = ContinuousClock.now - begun
      #expect((1.7...3.0).contains(took.inSeconds))
      capture.stop()
      #expect(capture.statistics.frames >= 32_000)
      #expect(capture.statistics.lostFrames == 0)
      #expect((0.001...0.5).contains(capture.statistics.latency.inSeconds))
    }

    @Test func `after a stop the captured audio is delivered, and nothing more`() async throws {
      let capture = try await PortAudioMicrophone().open()
      _ = try await within(.seconds(5)) { try await capture.read() }
      let deadline = ContinuousClock.now + .seconds(5)
      while capture.statistics.frames < 3_200, ContinuousClock.now < deadline { await Task.yield() }
      capture.stop()
      capture.stop()
      let captured = capture.statistics.frames
      let rest = try await within(.seconds(1)) {
        var frames = 0
        while case .audio(let sound)? = try await capture.read() { frames += sound.frameCount }
        return frames
      }
      #expect(rest == captured - 320)
      let end = try await capture.read()
      #expect(end == nil)
      #expect(capture.statistics.frames == captured)
    }

    @Test func `a microphone can be started repeatedly`() async throws {
      let microphone = PortAudioMicrophone(device: .name("pulse"))
      for _ in 0..<5 {
        let capture = try await microphone.open()
        let event = try await within(.seconds(5)) { try await capture.read() }
        guard case .audio? = event else {
          Issue.record("\(String(describing: event))")
          return
        }
        capture.stop()
      }
    }

    @Test func `two captures of the same device are independent`() async throws {
      let first = try await PortAudioMicrophone().open()
      let second = try await PortAudioMicrophone().open()
      _ = try await within(.seconds(5)) { try await first.read() }
      first.stop()
      for _ in 0..<10 { _ = try await within(.seconds(5)) { try await second.read() } }
      second.stop()
    }

    @Test func `a late reader loses the oldest audio, and this is reported`() async throws {
      let microphone = PortAudioMicrophone(backlog: .milliseconds(200))
      let capture = try await microphone.open()
      let deadline = ContinuousClock.now + .seconds(5)
      while capture.statistics.frames < 8_000, ContinuousClock.now < deadline { await Task.yield() }
      capture.stop()
      let events = try await within(.seconds(1)) {
        var events: [AudioCaptureEvent] = []
        while let event = try await capture.read() { events.append(event) }
        return events
      }
      guard case .gap(let lost)? = events.first else {
        Issue.record("\(events.prefix(2))")
        return
      }
      let kept = events.dropFirst().reduce(0) { sum, event in
        if case .audio(let sound) = event { sum + sound.frameCount } else { sum }
      }
      #expect(kept <= 3_200)
      #expect(lost + kept == capture.statistics.frames)
      #expect(capture.statistics.lostFrames == lost)
      #expect(capture.statistics.dropouts >= 1)
    }

    @Test func `cancelling a read ends it, and the next read continues`() async throws {
      let capture = try await PortAudioMicrophone().open()
      for _ in 0..<20 {
        let reading = Task {
          while try await capture.read() != nil {}
        }
        reading.cancel()
        await #expect(throws: CancellationError.self) {
          try await within(.seconds(1)) { try await reading.value }
        }
      }
      let event = try await within(.seconds(5)) { try await capture.read() }
      #expect(event != nil)
      capture.stop()
    }

    @Test func `cancelling the opening leaves no stream open`() async throws {
      for _ in 0..<20 {
        let opening = Task { try await PortAudioMicrophone().open() }
        opening.cancel()
        do {
          let capture = try await within(.seconds(5)) { try await opening.value }
          capture.stop()
        } catch is CancellationError {}
      }
      // The list is only updated when no stream is open.
      let devices = try await AudioDevices.list()
      #expect(!devices.isEmpty)
      #expect(PortAudioLibrary.shared.openStreams == 0)
    }

    @Test func `a released capture closes its device`() async throws {
      do {
        let capture = try await PortAudioMicrophone().open()
        _ = try await within(.seconds(5)) { try await capture.read() }
      }
      let deadline = ContinuousClock.now + .seconds(5)
      while PortAudioLibrary.shared.openStreams > 0, ContinuousClock.now < deadline {
        _ = try await AudioDevices.list()
      }
      #expect(PortAudioLibrary.shared.openStreams == 0)
    }

    @Test func `the number of descriptors and threads is stable over 50 cycles`() async throws {
      for _ in 0..<5 { try await openAndStopBoth() }
      _ = try await AudioDevices.list()
      let before = ProcessHoldings.now()
      for _ in 0..<50 { try await openAndStopBoth() }
      _ = try await AudioDevices.list()
      let after = ProcessHoldings.now()
      #expect(after.descriptors <= before.descriptors + 2)
      // The number of pool threads varies.
      #expect(after.threads <= before.threads + 8)
    }
  }
}
