import SpeechAudio
import Testing

@testable import SpeechPortAudio

struct CaptureBacklogTests {
  private let format = AudioFormat(sampleRate: 100)

  private func sound(_ count: Int, _ value: Int16 = 1) -> AudioCaptureEvent {
    .audio(PCMBuffer(samples: [Int16](repeating: value, count: count), format: format))
  }

  private func all(_ backlog: inout CaptureBacklog) -> [AudioCaptureEvent] {
    var events: [AudioCaptureEvent] = []
    while let event = backlog.next() { events.append(event) }
    return events
  }

  @Test func `events come out in order`() {
    var backlog = CaptureBacklog(capacity: 100)
    let events: [AudioCaptureEvent] = [
      sound(10), .interrupted(.noDevice(.input)), .gap(frames: 5), .resumed, sound(3),
    ]
    for event in events { backlog.append(event) }
    #expect(all(&backlog) == events)
    #expect(backlog.lostFrames == 5)
    #expect(backlog.dropouts == 1)
  }

  @Test func `empty audio and gaps are not reported`() {
    var backlog = CaptureBacklog(capacity: 100)
    backlog.append(sound(0))
    backlog.append(.gap(frames: 0))
    backlog.append(.gap(frames: -3))
    #expect(all(&backlog) == [])
  }

  @Test func `excess audio drops the oldest, which becomes one gap`() {
    var backlog = CaptureBacklog(capacity: 30)
    for value in 1...5 { backlog.append(sound(10, Int16(value))) }
    #expect(all(&backlog) == [.gap(frames: 20), sound(10, 3), sound(10, 4), sound(10, 5)])
    #expect(backlog.lostFrames == 20)
    #expect(backlog.dropouts == 1)
  }

  @Test func `adjacent gaps are merged`() {
    var backlog = CaptureBacklog(capacity: 20)
    backlog.append(sound(10))
    backlog.append(.gap(frames: 7))
    backlog.append(.gap(frames: 1))
    backlog.append(sound(10, 2))
    backlog.append(sound(10, 3))
    #expect(all(&backlog) == [.gap(frames: 18), sound(10, 2), sound(10, 3)])
    #expect(backlog.lostFrames == 18)
  }

  @Test func `a device that is lost repeatedly without a reader stays bounded`() {
    var backlog = CaptureBacklog(capacity: 1_000, maximumEvents: 10)
    for _ in 0..<1_000 {
      backlog.append(.interrupted(.noDevice(.input)))
      backlog.append(.gap(frames: 2))
      backlog.append(.resumed)
    }
    let events = all(&backlog)
    #expect(events.count <= 11)
    let gaps = events.reduce(0) { sum, event in
      if case .gap(let frames) = event { sum + frames } else { sum }
    }
    #expect(gaps == 2_000)
  }

  @Test func `a long run of reading and writing keeps its order`() {
    var backlog = CaptureBacklog(capacity: 10_000)
    var next: Int16 = 0
    var expected: Int16 = 0
    for round in 0..<3_000 {
      for _ in 0..<(round % 3) {
        backlog.append(sound(1, next))
        next += 1
      }
      if let event = backlog.next() {
        #expect(event == sound(1, expected))
        expected += 1
      }
    }
    for event in all(&backlog) {
      #expect(event == sound(1, expected))
      expected += 1
    }
    #expect(expected == next)
  }
}
