import SpeechAudio
import SpeechConcurrency
import Testing

struct TappedInputTests {
  @Test func `a tap receives all audio with its time, for each capture`()
    async throws
  {
    let sound = PCMBuffer(samples: (0..<1_600).map { Int16($0) }, format: .recognition)
    let script = AudioScript().saying(sound, at: .milliseconds(100)).ending(at: .milliseconds(300))
      .interrupted(at: .milliseconds(240), for: .milliseconds(20))
    let heard = Guarded<[[(sound: PCMBuffer, time: Duration)]]>([])
    let input = TappedInput(ScriptedMicrophone(script)) {
      let number = heard.withLock { heard in
        heard.append([])
        return heard.count - 1
      }
      return { sound, time in heard.withLock { $0[number].append((sound, time)) } }
    }
    #expect(input.name == "scripted microphone")
    let capture = try await input.open()
    var read: [PCMBuffer] = []
    while let event = try await capture.read() {
      if case .audio(let buffer) = event { read.append(buffer) }
    }
    let pieces = heard.withLock { $0[0] }
    #expect(pieces.map(\.sound) == read)
    #expect(pieces.first?.time == .zero)
    // The gap counts.
    let end = try #require(pieces.last.map { $0.time + $0.sound.duration })
    #expect(abs((end - .milliseconds(300)) / .seconds(1)) < 1e-9)
    try await input.open().stop()
    #expect(heard.withLock { $0.count } == 2)
  }
}
