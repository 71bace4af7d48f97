import Foundation
import SpeechKit

/// Measures how much audio is played after `stop()`.
struct StopBenchmark: Benchmark {
  let name = "stop"
  let summary = "audio that is played after stop()"

  func run(on bench: Workbench) async throws -> [BenchmarkRow] {
    var rows = [
      BenchmarkRow(
        benchmark: name, what: "speaker in memory, virtual time", unit: .milliseconds,
        ours: try await bench.repeated(bench.options.runs) { try await Self.inMemory() },
        goal: .value(100), note: "its buffer is 100 ms")
    ]
    guard bench.hasSoundDevice else { return rows }
    var latency = 0.0
    let heard = try await bench.repeated(bench.options.runs) {
      let (rest, device) = try await Self.onDevice()
      latency = max(latency, device)
      return rest
    }
    rows.append(
      BenchmarkRow(
        benchmark: name, what: "PortAudio, null sink", unit: .milliseconds, ours: heard,
        goal: .value(latency),
        note: "on the sink's monitor, beyond the frames played at the time of stop(); the "
          + "device's buffer is \(String(format: "%.0f", latency)) ms"))
    return rows
  }

  /// Returns the milliseconds of audio after `stop()` within a text, by the speaker's clock.
  private static func inMemory() async throws -> Double {
    let clock = VirtualClock()
    let speaker = MemorySpeaker(clock: clock)
    let provider = AppleSpeechSynthesisProvider(
      engine: .init(), configuration: .default, output: speaker)
    let speaking = Task {
      try await provider.speak(text: ReadingMatter.longText(chapters: 1), voice: nil)
    }
    try await clock.sleep(until: .seconds(1))
    let stopped = clock.time
    provider.stop()
    _ = try? await speaking.value
    let end = speaker.sounds.map { $0.start + $0.audio.duration }.max() ?? .zero
    return max(0, (end - stopped) / .milliseconds(1))
  }

  /// Returns the audio after `stop()` within a noise, on the sink's monitor, and the buffer that
  /// the device reports; both in milliseconds.
  private static func onDevice() async throws -> (rest: Double, latency: Double) {
    let microphone = try await PortAudioMicrophone().open()
    let listening = Task { () async throws -> Double in
      var sounding = 0
      var silent = 0
      while case .audio(let sound)? = try await microphone.read() {
        let loud = sound.samples.count { $0 != 0 }
        sounding += loud
        silent = loud == 0 && sounding > 0 ? silent + sound.frameCount : 0
        if silent > microphone.format.frames(in: .milliseconds(300)) { break }
      }
      return Double(sounding) / Double(microphone.format.sampleRate)
    }
    // No sample is zero, so the frames that were played can be counted.
    let samples = (0..<80_000).map { index -> Int16 in
      let size = Int16(1_000 + index % 977)
      return index.isMultiple(of: 3) ? -size : size
    }
    let noise = PCMBuffer(samples: samples, format: .recognition)
    let playback = try await PortAudioSpeaker().open(noise.format)
    let writing = Task { try await playback.write(noise) }
    try await playback.waitUntilPlayed(8_000)
    playback.stop()
    let played = Double(playback.playedFrames) / Double(noise.format.sampleRate)
    _ = try? await writing.value
    let heard = try await listening.value
    microphone.stop()
    return (max(0, heard - played) * 1_000, playback.statistics.latency / .milliseconds(1))
  }
}
