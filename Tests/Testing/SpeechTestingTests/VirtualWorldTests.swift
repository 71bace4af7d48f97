import Foundation
import SpeechAudio
import SpeechConcurrency
import SpeechCore
import SpeechFlite
import SpeechPocketSphinx
import SpeechTesting
import Testing

@Suite(.serialized) struct VirtualWorldTests {
  @Test func `a day passes in little real time, in order`() async throws {
    let began = ContinuousClock.now
    let log = try await VirtualWorld.run { world in
      try await withThrowingTaskGroup(of: (Int, Duration).self) { group in
        for hour in (1...24).reversed() {
          group.addTask {
            try await world.clock.sleep(until: .seconds(hour * 3_600))
            return (hour, world.clock.time)
          }
        }
        var log: [String] = []
        for try await (hour, time) in group { log.append("\(hour) \(time)") }
        return log
      }
    }
    #expect(log == (1...24).map { "\($0) \(Duration.seconds($0 * 3_600))" })
    #expect(began.duration(to: .now) < .seconds(300))
  }

  @Test func `a standstill ends with an error`() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    await #expect(throws: CancellationError.self) {
      try await VirtualWorld.run(timeout: .milliseconds(10)) { _ in
        for await _ in stream {}
        try Task.checkCancellation()
      }
    }
    continuation.finish()
    let never = Guarded<CheckedContinuation<Void, Never>?>(nil)
    await #expect(throws: VirtualWorldError.standstill) {
      try await VirtualWorld.run(timeout: .milliseconds(10)) { _ in
        await withCheckedContinuation { waiting in never.withLock { $0 = waiting } }
      }
    }
    never.withLock { $0 }?.resume()
  }

  @Test func `tasks that sleep at the end of a world are cancelled and released`() async throws {
    final class Guest: Sendable {}
    struct Reference: Sendable { weak let guest: Guest? }
    let wakings = Guarded<[Bool]>([])
    let reference = try await VirtualWorld.run { world in
      let (guest, clock) = (Guest(), world.clock)
      Task {
        // A loop that is ended by its cancellation only.
        repeat {
          try? await clock.sleep(until: clock.time + .seconds(60))
          wakings.withLock { $0.append(Task.isCancelled) }
        } while !Task.isCancelled
        try? await clock.sleep(until: clock.time + .seconds(60))
        withExtendedLifetime(guest) {}
      }
      try await clock.sleep(until: .seconds(90))
      return Reference(guest: guest)
    }
    #expect(wakings.withLock { $0 } == [false, true])
    #expect(reference.guest == nil)
  }

  @Test func `cancelling the caller's task cancels the body`() async throws {
    let (started, continuation) = AsyncStream.makeStream(of: Void.self)
    let running = Task {
      try await VirtualWorld.run { world in
        continuation.finish()
        while true { try await world.clock.sleep(until: world.clock.time + .seconds(1)) }
      }
    }
    for await _ in started {}
    running.cancel()
    await #expect(throws: CancellationError.self) { try await running.value }
  }

  @Test func `the body runs on the main actor, and its errors are thrown`() async throws {
    struct Broken: Error {}
    await #expect(throws: Broken.self) {
      try await VirtualWorld.run { _ in
        MainActor.assertIsolated()
        await Task.detached { await MainActor.run { MainActor.assertIsolated() } }.value
        throw Broken()
      }
    }
    await MainActor.run { MainActor.assertIsolated() }
  }

  /// Speaks and listens, and returns a log with times.
  @MainActor static func conversation(in world: VirtualWorld) async throws -> [String] {
    var log: [String] = []
    func note(_ text: String) { log.append("\(world.clock.time) \(text)") }
    let grammar = "#JSGF V1.0; grammar tea; public <answer> = yes [ please ] | no [ thank you ];"
    let microphone = ScriptedMicrophone(
      AudioScript().withNoise(level: -66), clock: world.clock)
    let speaker = MemorySpeaker(clock: world.clock)
    let mouth = SpeechSynthesisEngine(
      provider: VoiceSynthesisProvider(
        engine: FliteEngine(), configuration: .default, output: speaker))
    let ears = SpeechRecognitionEngine(
      provider: DecoderRecognitionProvider<PocketSphinxDecoder>(
        configuration: PocketSphinxConfiguration(search: .grammar(grammar)), input: microphone))
    let guest = FliteEngine()
    let positions = mouth.positions
    let following = Task { @MainActor in
      for await position in positions { note("\(position.kind) \(position.textRange)") }
    }
    defer { following.cancel() }
    try await ears.startListening(locale: Locale(identifier: "en-US"))
    for line in ["Yes please.", "No thank you.", "Yes."] {
      let results = ears.results
      try await mouth.speak(text: "Would you like some tea?")
      note("spoken")
      let words = try await guest.render(guest.makeRequest(text: line), configuration: .default)
      microphone.say(try words.resampled(to: .recognition), after: .milliseconds(300))
      for await result in results {
        note("\(result.isFinal ? "final" : "partial") \(result.text)")
        if result.isFinal { break }
      }
    }
    ears.stopListening()
    for sound in speaker.sounds { note("\(sound.start) \(sound.audio.frameCount)") }
    return log
  }

  @Test func `two conversations are identical`() async throws {
    let first = try await VirtualWorld.run { try await Self.conversation(in: $0) }
    #expect(first.contains { $0.hasSuffix("final yes please") })
    #expect(first.contains { $0.hasSuffix("final no thank you") })
    for _ in 0..<3 {
      #expect(try await VirtualWorld.run { try await Self.conversation(in: $0) } == first)
    }
  }

  @Test func `the order of external work does not depend on its duration`() async throws {
    func outcome(delays: [Int]) async throws -> [String] {
      try await VirtualWorld.run { world in
        var log: [String] = []
        await withTaskGroup(of: String.self) { group in
          for (number, delay) in delays.enumerated() {
            group.addTask {
              let text = try? await ExternalWork.run {
                try await Task.sleep(for: .milliseconds(delay))
                return "work \(number)"
              }
              try? await world.clock.sleep(until: .seconds(1))
              return "\(text ?? "") \(world.clock.time)"
            }
          }
          for await text in group { log.append(text) }
        }
        return log
      }
    }
    let expected = (0..<5).map { "work \($0) \(Duration.seconds(1))" }
    for delays in [[0, 5, 10, 15, 20], [20, 15, 10, 5, 0], [10, 0, 20, 5, 15]] {
      #expect(try await outcome(delays: delays) == expected)
    }
  }

  @Test func `time stands still during external work, whose errors are thrown`() async throws {
    struct Broken: Error {}
    try await VirtualWorld.run { world in
      let alarm = Task { try await world.clock.sleep(until: .seconds(1)) }
      try await ExternalWork.run { try await Task.sleep(for: .milliseconds(20)) }
      #expect(world.clock.time == .zero)
      await #expect(throws: Broken.self) { try await ExternalWork.run { throw Broken() } }
      let endless = Task {
        try await ExternalWork.run { try await Task.sleep(for: .seconds(600)) }
      }
      await Task.yield()
      endless.cancel()
      await #expect(throws: CancellationError.self) { try await endless.value }
      try await alarm.value
      #expect(world.clock.time == .seconds(1))
    }
  }

  @Test func `other tasks of the process run outside of the world`() async throws {
    let (steps, continuation) = AsyncStream.makeStream(of: Void.self)
    let other = Task.detached {
      for _ in 0..<20 {
        try await Task.sleep(for: .milliseconds(1))
        await MainActor.run { MainActor.assertIsolated() }
      }
      continuation.finish()
    }
    try await VirtualWorld.run { world in
      // As long as the other task works; a world that took its jobs would stand still.
      try await ExternalWork.run { for await _ in steps {} }
      try await world.clock.sleep(until: .seconds(1))
    }
    try await other.value
  }

  @Test func `a sleep on the machine's clock ends the world`() async throws {
    await #expect(
      throws: VirtualWorldError.usedHost(
        HostUse(handler: nil, kind: .pause, function: "Task.sleep"))
    ) {
      try await VirtualWorld.run { _ in try await Task.sleep(for: .seconds(600)) }
    }
  }

  @Test func `a callback of another thread ends the world`() async throws {
    await #expect(throws: VirtualWorldError.usedHost(HostUse(handler: nil, kind: .callback))) {
      try await VirtualWorld.run { _ in
        await withCheckedContinuation { continuation in
          DispatchQueue.global().asyncAfter(deadline: .now() + 0.01) { continuation.resume() }
        }
      }
    }
  }
}
