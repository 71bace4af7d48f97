import Testing

@testable import SpeechPortAudio

struct CaptureClockTests {
  /// Runs a clock with deliveries of 20 ms, and returns the frames found lost in each second.
  private func lost(
    seconds: Int, rate: Double = 1, late: (Int) -> Double = { _ in 0 },
    missing: (Int) -> Bool = { _ in false }
  ) -> [Int] {
    var clock = CaptureClock(sampleRate: 16_000)
    var found = [Int](repeating: 0, count: seconds)
    var delivered = 0
    var piece = 0
    for tick in 0..<(seconds * 100) {
      let now = Double(tick) * 0.01
      while Double(piece + 1) * 0.02 / rate + late(piece) <= now {
        if !missing(piece) { delivered += 320 }
        piece += 1
      }
      found[tick / 100] += clock.missing(delivered: delivered, now: tick * 10_000_000)
    }
    return found
  }

  @Test func `a steady device loses nothing`() {
    #expect(lost(seconds: 60).allSatisfy { $0 == 0 })
  }

  @Test func `late deliveries that are compensated are not a loss`() {
    // Every delivery is late by up to 200 ms, and in each tenth second all are late by 700 ms.
    let found = lost(
      seconds: 60,
      late: { piece in
        let second = Double(piece) * 0.02
        let phase = second.truncatingRemainder(dividingBy: 10)
        return phase < 0.7 ? 0.7 - phase : Double(piece * 7_919 % 10) * 0.02
      })
    #expect(found.allSatisfy { $0 == 0 })
  }

  @Test(arguments: [0.9995, 1.0005]) func `a small clock difference is not a loss`(rate: Double) {
    #expect(lost(seconds: 120, rate: rate).allSatisfy { $0 == 0 })
  }

  @Test func `lost audio is detected within two seconds and measured`() {
    let found = lost(seconds: 20, missing: { (500..<510).contains($0) })
    // 200 ms are missing from second 10; up to a millisecond per second counts as drift.
    #expect((3_150...3_200).contains(found[10...12].reduce(0, +)))
    #expect(found.reduce(0, +) == found[10...12].reduce(0, +))
  }

  @Test func `a device that loses nine tenths is detected`() {
    let found = lost(seconds: 30, missing: { $0 > 500 && $0 % 10 != 0 })
    let truth = Double((501..<1_500).count { $0 % 10 != 0 } * 320)
    #expect(abs(Double(found.reduce(0, +)) - truth) / truth < 0.1)
  }
}
