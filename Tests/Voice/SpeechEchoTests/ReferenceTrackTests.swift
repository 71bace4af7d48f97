import SpeechAudio
import Testing

@testable import SpeechEcho

struct ReferenceTrackTests {
  /// A track with 1000 ticks a second, whose samples number its frames from 1.
  private func track(_ frames: Int = 1_000) -> ReferenceTrack {
    var track = ReferenceTrack(rate: 1_000, playbackRate: 1_000, tick: 0)
    track.append((1...frames).map(Int16.init), frames: frames)
    return track
  }

  private func sound(_ track: ReferenceTrack, _ range: Range<Int>) -> [Int32] {
    var sound = [Int32](repeating: 0, count: range.count)
    track.mix(into: &sound, from: range.lowerBound)
    return sound
  }

  @Test func `the start is derived from the counter between two readings`() {
    var track = track()
    track.observe(played: 0, at: 20)
    track.observe(played: 5, at: 40)
    track.observe(played: 25, at: 60)
    #expect(sound(track, 33..<38) == [0, 0, 1, 2, 3])
    #expect(sound(track, 58..<62) == [24, 25, 26, 27])
  }

  @Test func `a pause is silence, and nothing is lost by it`() {
    var track = track()
    for tick in stride(from: 10.0, through: 100, by: 10) {
      track.observe(played: Int(tick), at: tick)
    }
    track.observe(played: 100, at: 120)
    track.observe(played: 100, at: 200)
    track.observe(played: 120, at: 220)
    #expect(sound(track, 98..<103) == [99, 100, 0, 0, 0])
    #expect(sound(track, 198..<203) == [0, 0, 101, 102, 103])
  }

  @Test func `a counter that lags between two readings has stood still`() {
    var track = track()
    track.observe(played: 20, at: 20)
    track.observe(played: 40, at: 40)
    track.observe(played: 60, at: 110)
    #expect(sound(track, 38..<42) == [39, 40, 0, 0])
    #expect(sound(track, 88..<92) == [0, 0, 41, 42])
  }

  @Test func `silence follows the last audio, whenever that is noticed`() {
    var track = track(50)
    track.observe(played: 20, at: 20)
    track.observe(played: 40, at: 40)
    track.observe(played: 50, at: 70)
    track.append([7, 8, 9, 10], frames: 4)
    #expect(sound(track, 48..<53) == [49, 50, 0, 0, 0])
    track.observe(played: 50, at: 90)
    track.observe(played: 52, at: 102)
    #expect(sound(track, 99..<103) == [0, 7, 8, 9])
  }

  @Test func `jitter of a counter is ignored, and drift is followed`() {
    var trembling = track()
    for step in 1...90 {
      let tremble = step.isMultiple(of: 2) ? 0.9 : -0.9
      trembling.observe(played: step * 10, at: Double(step * 10) + tremble)
    }
    let before = sound(trembling, 100..<101)[0]
    #expect(abs(Int(sound(trembling, 800..<801)[0]) - Int(before) - 700) == 0)

    // A thousandth, which is ten times the drift of a quartz: after 18 s it lags by 18 frames.
    var drifting = track(20_000)
    for step in 1...1_900 { drifting.observe(played: step * 10, at: Double(step) * 10.01) }
    #expect(abs(Int(sound(drifting, 18_000..<18_001)[0]) - 17_983) <= 3)
  }

  @Test func `old audio is discarded, and newer audio keeps its position`() {
    var track = track()
    for tick in stride(from: 10, through: 900, by: 10) {
      track.observe(played: tick, at: Double(tick))
    }
    track.forget(before: 800)
    #expect(sound(track, 500..<502) == [0, 0])
    #expect(sound(track, 850..<852) == [851, 852])
    track.end()
    track.forget(before: 2_000)
    #expect(track.isForgotten)
  }

  @Test func `rates are converted`() {
    var track = ReferenceTrack(rate: 1_000, playbackRate: 2_000, tick: 0)
    track.append((1...100).map(Int16.init), frames: 200)
    track.observe(played: 40, at: 40)
    track.observe(played: 80, at: 60)
    #expect(sound(track, 59..<62) == [40, 41, 42])
  }
}

struct CaptureTimelineTests {
  @Test func `the earliest delivery determines the arrival time`() {
    var timeline = CaptureTimeline(rate: 1_000)
    timeline.observe(frames: 20, at: 75)
    timeline.observe(frames: 40, at: 90)
    timeline.observe(frames: 60, at: 130)
    #expect(timeline.tick(of: 0) == 50)
    #expect(timeline.tick(of: 100) == 150)
  }

  @Test func `a clock that drifts is followed`() {
    var timeline = CaptureTimeline(rate: 1_000)
    for step in 1...3_000 {
      timeline.observe(frames: Double(step * 20), at: Double(step) * 20.02 + 30)
    }
    // A tick per second; the earliest of 4 to 8 seconds counts.
    #expect(abs(timeline.tick(of: 60_000) - 60_090) <= 9)
  }
}
