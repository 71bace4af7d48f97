import ConformanceTesting
import Foundation
import SpeechAudio
import TestSupport
import Testing

@testable import SpeechPortAudio

extension DeviceTests {
  /// Measurements that take a while and need a quiet machine: SPEECHKIT_MEASURE=1.
  @Suite(
    .serialized, .needsSoundDevice,
    .enabled(
      if: ProcessInfo.processInfo.environment["SPEECHKIT_MEASURE"] != nil,
      "takes long and wants a quiet machine: SPEECHKIT_MEASURE=1"))
  struct Measurements {
    @Test func `an idle microphone costs under 3 % of a core`() async throws {
      let capture = try await PortAudioMicrophone().open()
      for _ in 0..<50 { _ = try await capture.read() }
      let (cpu, clock) = (processorTime(), ContinuousClock.now)
      for _ in 0..<500 { _ = try await capture.read() }
      let share = (processorTime() - cpu) / (ContinuousClock.now - clock).inSeconds
      capture.stop()
      report("idle microphone", "\(share * 100) % of a core")
      #expect(share < 0.03)
    }

    @Test func `opening is quick`() async throws {
      var times: [String: [Double]] = [:]
      for round in 0..<21 {
        var clock = ContinuousClock.now
        func lap(_ name: String) {
          if round > 0 { times[name, default: []].append((ContinuousClock.now - clock).inSeconds) }
          clock = .now
        }
        let capture = try await PortAudioMicrophone().open()
        lap("microphone opened")
        _ = try await capture.read()
        lap("first frame after that")
        capture.stop()
        clock = .now
        let playback = try await PortAudioSpeaker().open(.recognition)
        lap("speaker opened, right after the microphone was stopped")
        try await playback.write(noise(.milliseconds(50)))
        try await playback.waitUntilPlayed(1)
        lap("first sample heard after that")
        playback.stop()
        clock = .now
        _ = try await AudioDevices.list()
        lap("list, right after the speaker was stopped")
      }
      for (name, values) in times.sorted(by: { $0.key < $1.key }) {
        let sorted = values.sorted()
        report(
          name, "\(sorted[sorted.count / 2] * 1e3) ms, at most \(sorted[sorted.count - 1] * 1e3)")
      }
    }

    @Test func `a thousand cycles leave descriptors, threads and memory flat`() async throws {
      for _ in 0..<100 { try await openAndStopBoth() }
      let before = ProcessHoldings.now()
      let clock = ContinuousClock.now
      for _ in 0..<1_000 { try await openAndStopBoth() }
      let each = (ContinuousClock.now - clock).inSeconds
      _ = try await AudioDevices.list()
      let after = ProcessHoldings.now()
      report("1000 cycles", "\(each) ms each; \(before) -> \(after)")
      #expect(after.descriptors <= before.descriptors + 2)
      #expect(after.threads <= before.threads + 8)
      #expect(after.hasGrown(since: before, atMostKibibytes: 1_024))
    }

    private func report(_ name: String, _ value: String) {
      FileHandle.standardError.write(Data("\(name): \(value)\n".utf8))
    }

    private func processorTime() -> Double {
      var usage = rusage()
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
      func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
      return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }
  }
}
