import Foundation
import SpeechKit

/// PulseAudio's `module-echo-cancel` with WebRTC's method on the audio of a scene, in real time.
/// The replies are played to its sink, and the audio of the scene's microphone is its source.
struct PulseEchoCanceller {
  private let bench: Workbench

  @MainActor
  init(_ bench: Workbench) { self.bench = bench }

  /// Returns the result for a scene, aligned with the audio of the scene's microphone.
  @MainActor
  func cleaned(_ scene: EchoScene, _ outcome: EchoScene.Outcome) throws -> PCMBuffer {
    let format = outcome.heard.format
    var played = PCMBuffer.silence(outcome.heard.duration, format: format)
    for (range, reply) in zip(outcome.replies, scene.replies) {
      played.mix(reply, at: range.lowerBound)
    }
    // The two players start one after the other, and no echo may precede its source.
    var heard = PCMBuffer.silence(Self.lead, format: format)
    heard.append(outcome.heard)
    let far = bench.folder.appendingPathComponent("far.wav")
    let near = bench.folder.appendingPathComponent("near.wav")
    let result = bench.folder.appendingPathComponent("cleaned.raw")
    try AudioFile.write(played, to: far)
    try AudioFile.write(heard, to: near)
    _ = try bench.peer("bash", ["-c", Self.script, "bash", far.path, near.path, result.path])
      .run()
    let data = try Data(contentsOf: result)
    let samples = data.withUnsafeBytes { bytes in
      (0..<bytes.count / 2).map { bytes.loadUnaligned(fromByteOffset: $0 * 2, as: Int16.self) }
    }
    return Self.inStep(PCMBuffer(samples: samples, format: format), with: scene, outcome)
  }

  private static let lead = Duration.milliseconds(100)

  private static let script = """
    set -e
    load() { modules="$(pactl load-module "$@") $modules"; }
    trap 'for module in $modules; do pactl unload-module $module; done' EXIT
    load module-null-sink sink_name=echospeaker rate=16000 channels=1
    load module-null-sink sink_name=echoroom rate=16000 channels=1
    load module-echo-cancel aec_method=webrtc use_master_format=1 \\
      sink_master=echospeaker source_master=echoroom.monitor sink_name=echosink \\
      source_name=echosource \\
      'aec_args="noise_suppression=0 analog_gain_control=0 digital_gain_control=0"'
    parec -d echosource --latency-msec=20 --rate=16000 --channels=1 --format=s16le > "$3" &
    recorder=$!
    sleep 2
    paplay -d echosink "$1" &
    player=$!
    paplay -d echoroom "$2"
    wait $player
    sleep 0.5
    kill $recorder
    wait $recorder || true
    """

  /// Aligns the recording with the scene, by the shift at which its level, 100 times a second,
  /// correlates best with that of the interruptions alone.
  private static func inStep(
    _ recording: PCMBuffer, with scene: EchoScene, _ outcome: EchoScene.Outcome
  ) -> PCMBuffer {
    var alone = PCMBuffer.silence(outcome.heard.duration, format: outcome.heard.format)
    for (range, interruption) in zip(outcome.interruptions, scene.interruptions) {
      alone.mix(interruption.sound, at: range.lowerBound)
    }
    let length = recording.format.frames(in: .milliseconds(10))
    func loudness(_ sound: PCMBuffer) -> [Double] {
      stride(from: 0, to: sound.frameCount - length, by: length).map { start in
        max(0, sound.slice(start..<start + length).level + 60)
      }
    }
    let (wanted, found) = (loudness(alone), loudness(recording))
    func likeness(_ shift: Int) -> Double {
      zip(wanted, found.dropFirst(shift)).reduce(0) { $0 + $1.0 * $1.1 }
    }
    let shift = (0..<500).max { likeness($0) < likeness($1) } ?? 0
    var result = recording.slice(shift * length..<recording.frameCount)
    let missing = outcome.heard.frameCount - result.frameCount
    if missing > 0 { result.samples += [Int16](repeating: 0, count: missing) }
    return result.slice(0..<outcome.heard.frameCount)
  }
}
