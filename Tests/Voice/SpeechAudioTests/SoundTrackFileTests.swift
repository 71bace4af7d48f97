import Foundation
import Testing

@testable import SpeechAudio

struct SoundTrackFileTests {
  private func withFile(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.appending(path: "track.wav"))
  }

  private func isSame(_ url: URL, _ expected: PCMBuffer) throws -> Bool {
    try AudioFile.read(url) == expected
  }

  private func tone(_ duration: Duration, rate: Int = 16_000, seed: Int = 1) -> PCMBuffer {
    let format = AudioFormat(sampleRate: rate)
    return PCMBuffer(
      samples: (0..<format.frames(in: duration)).map { Int16(($0 * 37 * seed) % 2_001 - 1_000) },
      format: format)
  }

  @Test func `a file has the audio of a track in memory`() throws {
    try withFile { url in
      let memory = SoundTrack()
      let file = SoundTrackFile(url, .whole, format: .recognition, delay: .seconds(1))
      // Two sides, one of them at another rate and a quarter of a second late.
      for step in 0..<50 {
        let time = Duration.milliseconds(200 * step)
        let ours = tone(.milliseconds(200), seed: 2)
        memory.add(ours, at: time)
        file.add(ours, at: time, source: 0)
        guard 10..<20 ~= step || 30..<40 ~= step else { continue }
        let other = tone(.milliseconds(200), rate: 22_050, seed: step)
        memory.add(other, at: time - .milliseconds(250))
        file.add(other, at: time - .milliseconds(250), source: 1)
      }
      try file.finish(isDurable: true)
      let (kept, mixed) = (try AudioFile.read(url), try memory.mixed(as: .recognition))
      #expect(kept.frameCount == mixed.frameCount)
      let difference = zip(kept.samples, mixed.samples).enumerated()
        .first { $0.element.0 != $0.element.1 }?.offset
      #expect(difference == nil)
    }
  }

  @Test func `a growing file can be read at any time, and a gap is silence`() throws {
    try withFile { url in
      let file = SoundTrackFile(url, .growing, delay: .zero)
      let sound = tone(.milliseconds(500))
      file.add(sound, at: .milliseconds(500))
      var expected = PCMBuffer.silence(.milliseconds(500), format: .recognition)
      expected.append(sound)
      #expect(try isSame(url, expected))
      file.add(sound, at: .seconds(20))
      expected.append(.silence(.seconds(19), format: .recognition))
      expected.append(sound)
      #expect(try isSame(url, expected))
      try file.finish(isDurable: false)
      #expect(try isSame(url, expected))
      var reader = try AudioFileReader(url)
      #expect(reader.info.frameCount == expected.frameCount)
      _ = try reader.read(frames: 1)
    }
  }

  @Test func `late audio is kept for a moment, and too late audio is moved`() throws {
    try withFile { url in
      let file = SoundTrackFile(url, .growing, delay: .seconds(1))
      let sound = tone(.seconds(1))
      file.add(sound, at: .seconds(4), source: 0)
      file.advance(to: .seconds(6))
      #expect(try AudioFile.read(url).duration == .seconds(5))
      file.add(sound, at: .seconds(2), source: 1)
      try file.finish(isDurable: false)
      #expect(try AudioFile.read(url).duration == .seconds(6))
    }
  }

  @Test func `a track without audio is an empty file, and failures are reported at the end`() throws
  {
    try withFile { url in
      try SoundTrackFile(url, .growing, delay: .zero).finish(isDurable: true)
      #expect(try AudioFile.read(url).isEmpty)
      let second = SoundTrackFile(url, .growing, delay: .zero)
      second.add(tone(.seconds(1)), at: .zero)
      #expect(throws: AudioError.self) { try second.finish(isDurable: true) }
    }
  }

  @Test(arguments: [16_000, 22_050])
  func `a file is captured like its audio in memory`(rate: Int) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appending(path: "said.wav")
    try AudioFile.write(tone(.milliseconds(3_217), rate: rate), to: url)
    let whole = try AudioFile.read(url, as: .recognition)
    func captured(_ script: AudioScript) async throws -> [AudioCaptureEvent] {
      var events: [AudioCaptureEvent] = []
      let capture = try await ScriptedMicrophone(script).open()
      while let event = try await capture.read() { events.append(event) }
      return events
    }
    let quiet = Duration.milliseconds(555)
    let sound = try AudioFileSound(url, as: .recognition)
    let fromFile = try await captured(AudioScript().hearing(sound, quiet: quiet))
    let fromMemory = try await captured(
      AudioScript().saying(whole, at: .zero).ending(at: whole.duration + quiet))
    let isSame = fromFile == fromMemory
    #expect(isSame)
    #expect(sound.failure == nil)
    #expect(throws: AudioError.self) {
      try AudioFileSound(folder.appending(path: "none.wav"), as: .recognition)
    }
  }
}
