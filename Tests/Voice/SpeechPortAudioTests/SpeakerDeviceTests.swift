import Foundation
import SpeechAudio
import SpeechConcurrency
import Testing

@testable import SpeechPortAudio

extension DeviceTests {
  @Suite(.serialized, .needsSoundDevice) struct Speaker {
    /// Silence before audio that has to be heard completely: the null sink has rendered 20 ms ahead
    /// when the audio begins, and its monitor does not receive those again.
    private let lead = PCMBuffer.silence(.milliseconds(100), format: .recognition)

    /// A latency for a machine that is busy with other tests.
    private let busyLatency = Duration.milliseconds(200)

    private func led(_ sound: PCMBuffer) -> PCMBuffer {
      var result = PCMBuffer.silence(.milliseconds(100), format: sound.format)
      result.append(sound)
      return result
    }

    /// A microphone that captures the speaker, after its first audio.
    private func listener() async throws -> Listener {
      let listener = Listener(try await PortAudioMicrophone().open())
      try await listener.wait { $0.samples.count > 1_600 }
      return listener
    }

    @Test func `what is played is heard, sample for sample`() async throws {
      let listener = try await listener()
      let sound = led(noise(.seconds(1)))
      let playback = try await PortAudioSpeaker(latency: busyLatency).open(sound.format)
      try await within(.seconds(10)) {
        try await playback.write(sound)
        try await playback.finish()
      }
      #expect(playback.playedFrames == sound.frameCount)
      #expect(playback.statistics.frames == sound.frameCount)
      try await listener.hearsOut(16_000)
      #expect(await listener.sounding == sound.samples.filter { $0 != 0 })
      #expect(await !listener.has { _ in true })
      try await listener.finish()
    }

    @Test func `a tone keeps its length and pitch at every rate`() async throws {
      // The last one is converted by us instead of the sound server.
      for (rate, deviceRate) in [(22_050, nil), (44_100, nil), (22_050, 48_000)] {
        let listener = try await listener()
        let format = AudioFormat(sampleRate: rate)
        let sound = led(PCMBuffer(samples: tone(440, .seconds(1), rate: rate), format: format))
        var speaker = PortAudioSpeaker(latency: busyLatency)
        speaker.deviceRate = deviceRate
        let playback = try await speaker.open(format)
        try await within(.seconds(10)) {
          try await playback.write(sound)
          try await playback.finish()
        }
        #expect(playback.playedFrames == sound.frameCount)
        try await listener.hearsOut(12_000)
        let heard = await listener.samples
        let loud = heard.indices.filter { abs(Int(heard[$0])) > 1_000 }
        let first = try #require(loud.first)
        let last = try #require(loud.last)
        // A sine exceeds a sixteenth of its peak for 96 % of the time. Counted rather than measured
        // from start to end, because a busy server inserts silence.
        #expect(abs(loud.count - 15_378) < 500)
        let crossings = zip(heard[first..<last], heard[(first + 1)...last])
          .count { $0 < 0 && $1 >= 0 }
        #expect(abs(crossings - 440) <= 10)
        try await listener.finish()
      }
    }

    @Test func `finish returns when the last sample has been played, and not before`() async throws
    {
      let sound = noise(.milliseconds(600))
      let playback = try await PortAudioSpeaker().open(sound.format)
      let begun = ContinuousClock.now
      try await within(.seconds(10)) {
        try await playback.write(sound)
        try await playback.finish()
      }
      let took = ContinuousClock.now - begun
      #expect((0.6...1.0).contains(took.inSeconds))
    }

    @Test func `the position advances with what is heard`() async throws {
      let sound = noise(.seconds(1))
      let playback = try await PortAudioSpeaker().open(sound.format)
      #expect(playback.playedFrames == 0)
      let writing = Task {
        try await playback.write(sound)
        try await playback.finish()
      }
      let begun = ContinuousClock.now
      for frame in stride(from: 2_000, through: 14_000, by: 2_000) {
        try await within(.seconds(5)) { try await playback.waitUntilPlayed(frame) }
        #expect(playback.playedFrames >= frame)
        #expect(playback.playedFrames < frame + 4_000)
        let expected = Double(frame) / 16_000
        #expect((expected...expected + 0.4).contains((ContinuousClock.now - begun).inSeconds))
      }
      try await within(.seconds(5)) { try await writing.value }
    }

    @Test func `a writer has to wait for the device`() async throws {
      let playback = try await PortAudioSpeaker().open(.recognition)
      let begun = ContinuousClock.now
      try await within(.seconds(10)) { try await playback.write(noise(.seconds(1))) }
      // Everything but what is buffered, 0.2 to 0.3 s here and 0.1 s there, has been played.
      #expect((ContinuousClock.now - begun).inSeconds > 0.4)
      playback.stop()
    }

    @Test func `pausing and resuming loses no sample`() async throws {
      let listener = try await listener()
      let sound = led(noise(.seconds(1)))
      let playback = try await PortAudioSpeaker().open(sound.format)
      let writing = Task {
        try await playback.write(sound)
        try await playback.finish()
      }
      for frame in [2_000, 6_000, 10_000] {
        try await within(.seconds(5)) { try await playback.waitUntilPlayed(frame) }
        playback.pause()
        // Until the silence of the pause is heard.
        let heard = await listener.sounding.count
        try await listener.hearsOut(max(1, heard))
        let position = playback.playedFrames
        #expect(abs(position - lead.frameCount - (await listener.sounding.count)) <= 1)
        playback.resume()
      }
      try await within(.seconds(5)) { try await writing.value }
      try await listener.hearsOut(16_000)
      #expect(await listener.sounding == sound.samples.filter { $0 != 0 })
      #expect(playback.statistics.frames == sound.frameCount)
      try await listener.finish()
    }

    @Test func `stop silences within one device buffer`() async throws {
      let listener = try await listener()
      let sound = led(noise(.seconds(5)))
      let playback = try await PortAudioSpeaker().open(sound.format)
      let writing = Task { try await playback.write(sound) }
      try await within(.seconds(5)) { try await playback.waitUntilPlayed(8_000) }
      playback.stop()
      let position = playback.playedFrames
      await #expect(throws: CancellationError.self) { try await writing.value }
      try await listener.hearsOut(6_000)
      let heard = await listener.sounding
      #expect(sound.samples.dropFirst(lead.frameCount).starts(with: heard))
      // The device holds 80 ms; the callback comes every 10 ms.
      let late = heard.count - (position - lead.frameCount)
      #expect(late <= AudioFormat.recognition.frames(in: .milliseconds(100)))
      await #expect(throws: CancellationError.self) { try await playback.finish() }
      await #expect(throws: CancellationError.self) { try await playback.write(sound) }
      #expect(playback.playedFrames == position)
      playback.stop()
      try await listener.finish()
    }

    @Test func `one speaker plays repeatedly, and two playbacks at a time`() async throws {
      let speaker = PortAudioSpeaker()
      for _ in 0..<3 {
        try await within(.seconds(5)) {
          let playback = try await speaker.open(.recognition)
          try await playback.write(noise(.milliseconds(50)))
          try await playback.finish()
        }
      }
      let first = try await speaker.open(.recognition)
      let second = try await speaker.open(AudioFormat(sampleRate: 22_050))
      try await within(.seconds(5)) {
        try await first.write(noise(.milliseconds(100)))
        try await second.write(
          noise(.milliseconds(100), seed: 2, AudioFormat(sampleRate: 22_050)))
        try await first.finish()
        try await second.finish()
      }
    }

    @Test func `a playback of nothing finishes`() async throws {
      let playback = try await PortAudioSpeaker().open(.recognition)
      try await within(.seconds(2)) {
        try await playback.write(PCMBuffer(format: .recognition))
        try await playback.finish()
      }
      #expect(playback.playedFrames == 0)
      await #expect(throws: CancellationError.self) {
        try await playback.write(noise(.milliseconds(10)))
      }
    }

    @Test func `audio of another rate is rejected`() async throws {
      let playback = try await PortAudioSpeaker().open(.recognition)
      await #expect(throws: AudioError.self) {
        try await playback.write(noise(.milliseconds(10), AudioFormat(sampleRate: 8_000)))
      }
      playback.stop()
    }

    @Test func `cancelling ends every wait`() async throws {
      let playback = try await PortAudioSpeaker().open(.recognition)
      playback.pause()
      let sound = noise(.seconds(1))
      let waits: [Task<Void, any Error>] = [
        Task { try await playback.write(sound) },
        Task { try await playback.waitUntilPlayed(100) },
      ]
      for wait in waits {
        wait.cancel()
        await #expect(throws: CancellationError.self) {
          try await within(.seconds(1)) { try await wait.value }
        }
      }
      let finishing = Task {
        try await playback.write(noise(.milliseconds(50)))
        try await playback.finish()
      }
      finishing.cancel()
      await #expect(throws: CancellationError.self) {
        try await within(.seconds(1)) { try await finishing.value }
      }
      playback.stop()
    }
  }
}

/// A sine at half of full scale.
func tone(_ frequency: Double, _ duration: Duration, rate: Int) -> [Int16] {
  (0..<AudioFormat(sampleRate: rate).frames(in: duration)).map { index in
    Int16(16_384 * sin(2 * Double.pi * frequency * Double(index) / Double(rate)))
  }
}
