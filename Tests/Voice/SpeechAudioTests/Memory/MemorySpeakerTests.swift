@testable import SpeechAudio
import Testing

struct MemorySpeakerTests {
  let clock = VirtualClock()
  let format = AudioFormat(sampleRate: 8_000)

  private func sound(_ frames: Int, value: Int16 = 5) -> PCMBuffer {
    PCMBuffer(samples: [Int16](repeating: value, count: frames), format: format)
  }

  @Test func `finishing returns when the last sample has been heard`() async throws {
    let speaker = MemorySpeaker(clock: clock)
    let playback = try await speaker.open(format)
    try await playback.write(sound(8_000))
    #expect(clock.time == .milliseconds(900))
    try await playback.finish()
    #expect(clock.time == .seconds(1))
    #expect(playback.playedFrames == 8_000)
    #expect(speaker.sounds == [MemorySpeaker.Sound(start: .zero, audio: sound(8_000))])
    try await playback.waitUntilPlayed(8_000)
  }

  @Test func `a writer that comes too late leaves a gap that is counted`() async throws {
    let speaker = MemorySpeaker(clock: clock)
    let playback = try await speaker.open(format)
    try await playback.write(sound(800))
    let hold = clock.makeTimer()
    playback.pause()
    try await hold.sleep(until: .seconds(1))
    playback.resume()
    hold.cancel()
    try await playback.finish()
    #expect(playback.statistics.dropouts == 0)
    #expect(speaker.sounds.flatMap(\.audio.samples) == sound(800).samples)
  }

  @Test func `several playbacks are kept in the order of their start`() async throws {
    let speaker = MemorySpeaker(clock: clock)
    for value in 1...3 {
      let playback = try await speaker.open(format)
      try await playback.write(sound(800, value: Int16(value)))
      try await playback.finish()
    }
    #expect(speaker.sounds.map { $0.audio.samples[0] } == [1, 2, 3])
    #expect(speaker.sounds.map(\.start) == [.zero, .milliseconds(100), .milliseconds(200)])
  }

  @Test func `stopping ends a writer and a follower and keeps what was heard`() async throws {
    let speaker = MemorySpeaker(clock: clock)
    let hold = clock.makeTimer()
    let playback = try await speaker.open(format)
    let writing = Task { try await playback.write(sound(8_000)) }
    let following = Task { try await playback.waitUntilPlayed(8_000) }
    try await playback.waitUntilPlayed(0)
    // The writer's sleep is the other one that time waits for, so this is the middle of the audio.
    try await hold.sleep(until: .milliseconds(300))
    let heard = playback.playedFrames
    playback.stop()
    hold.cancel()
    await #expect(throws: CancellationError.self) { try await writing.value }
    await #expect(throws: CancellationError.self) { try await following.value }
    #expect(heard == 2_400)
    #expect(speaker.sounds.flatMap(\.audio.samples).count == heard)
    await #expect(throws: CancellationError.self) { try await playback.write(sound(1)) }
  }

  @Test func `audio of another rate is refused`() async throws {
    let playback = try await MemorySpeaker(clock: clock).open(format)
    await #expect(throws: AudioError.self) {
      try await playback.write(PCMBuffer(samples: [1], format: .recognition))
    }
    playback.stop()
  }

  @Test func `after its end nothing waits and nothing is accepted`() async throws {
    let playback = try await MemorySpeaker(clock: clock).open(format)
    try await playback.write(sound(80))
    let follower = Task { try await playback.waitUntilPlayed(1_000) }
    try await playback.finish()
    try await follower.value
    try await playback.waitUntilPlayed(2_000)
    await #expect(throws: CancellationError.self) { try await playback.write(sound(80)) }
    playback.stop()
    #expect(playback.playedFrames == 80)
  }
}

struct PlaybackTimelineTests {
  let format = AudioFormat(sampleRate: 1_000)

  private func sound(_ frames: Int) -> PCMBuffer {
    PCMBuffer(samples: [Int16](repeating: 1, count: frames), format: format)
  }

  @Test func `frames follow the clock`() {
    var timeline = PlaybackTimeline(format: format)
    timeline.write(sound(500), at: .seconds(1))
    #expect(timeline.playedFrames(at: .seconds(1)) == 0)
    #expect(timeline.playedFrames(at: .milliseconds(1_200)) == 200)
    #expect(timeline.playedFrames(at: .seconds(9)) == 500)
    #expect(timeline.wait(for: 300, at: .seconds(1)) == .until(.milliseconds(1_300)))
    #expect(timeline.wait(for: 300, at: .seconds(2)) == .over)
    #expect(timeline.wait(for: 600, at: .seconds(2)) == .untilChange)
  }

  @Test func `an underrun is counted and begins a new stretch`() {
    var timeline = PlaybackTimeline(format: format)
    timeline.write(sound(100), at: .zero)
    timeline.write(sound(100), at: .milliseconds(300))
    #expect(timeline.statistics(at: .seconds(1)).dropouts == 1)
    #expect(timeline.statistics(at: .seconds(1)).lostFrames == 200)
    #expect(timeline.sounds(until: .seconds(1)).map(\.start) == [.zero, .milliseconds(300)])
  }

  @Test func `writing just in time is not an underrun`() {
    var timeline = PlaybackTimeline(format: format)
    for block in 0..<10 { timeline.write(sound(100), at: .milliseconds(block * 100)) }
    #expect(timeline.statistics(at: .seconds(1)).dropouts == 0)
    #expect(timeline.sounds(until: .seconds(1)).count == 1)
  }

  @Test func `a stopped timeline drops unheard frames`() {
    var timeline = PlaybackTimeline(format: format)
    timeline.write(sound(100), at: .zero)
    timeline.stop(at: .milliseconds(30))
    timeline.write(sound(100), at: .milliseconds(40))
    #expect(timeline.playedFrames(at: .seconds(1)) == 30)
    #expect(timeline.wait(for: 31, at: .seconds(1)) == .never)
    #expect(timeline.sounds(until: .seconds(1)).map(\.audio.frameCount) == [30])
  }
}
