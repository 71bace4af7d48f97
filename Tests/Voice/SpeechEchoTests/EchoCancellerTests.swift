import SpeechAudio
import SpeechEcho
import TestSupport
import Testing

struct EchoCancellerTests {
  /// The residue of an echo that returns 10 ms later and 12 dB softer.
  private func residue(
    of sound: PCMBuffer, in canceller: inout EchoCanceller
  ) throws -> PCMBuffer {
    let length = canceller.frameLength
    let echo = sound.amplified(byDecibels: -12)
    var left = PCMBuffer(format: sound.format)
    for start in stride(from: length, to: sound.frameCount - length, by: length) {
      try canceller.analyse(playback: sound.slice(start..<start + length))
      left.append(try canceller.process(echo.slice(start - length..<start)))
    }
    return left
  }

  @Test(arguments: EchoCanceller.sampleRates)
  func `an echo is removed at every rate`(_ rate: Int) throws {
    let format = AudioFormat(sampleRate: rate)
    let sound = EchoSounds.babble(.seconds(5), format: format)
    var canceller = try EchoCanceller(format: format)
    let left = try residue(of: sound, in: &canceller)
    #expect(left.slice(rate * 3..<rate * 5).level < -32 - 15)
    let known = canceller.statistics
    let statistics = try #require(known)
    #expect(statistics.echoReturnLossEnhancement > 10)
  }

  @Test func `a voice is preserved when nothing is played`() throws {
    let voice = EchoSounds.babble(.seconds(2), level: -30)
    var canceller = try EchoCanceller(
      configuration: EchoCancellerConfiguration(filtersRumble: false))
    var left = PCMBuffer(format: voice.format)
    let silence = PCMBuffer.silence(.milliseconds(10), format: voice.format)
    for start in stride(from: 0, to: voice.frameCount, by: 160) {
      try canceller.analyse(playback: silence)
      left.append(try canceller.process(voice.slice(start..<start + 160)))
    }
    #expect(abs(left.level - voice.level) < 1)
    // It is later by the stated latency.
    let latest = voice.format.frames(in: EchoCanceller.latency)
    let compared = Endurance.count(full: 16_000, short: 4_000)
    func likeness(_ lag: Int) -> Double {
      (0..<compared).reduce(0) { $0 + Double(voice.samples[$1]) * Double(left.samples[$1 + lag]) }
    }
    let best = (0..<400).max { likeness($0) < likeness($1) }
    #expect(try #require(best) <= latest)
  }

  @Test func `a canceller that was reset adapts again`() throws {
    let sound = EchoSounds.babble(.seconds(4))
    var canceller = try EchoCanceller()
    _ = try residue(of: sound, in: &canceller)
    try canceller.reset()
    let left = try residue(of: sound, in: &canceller)
    #expect(left.slice(48_000..<60_000).level < -32 - 15)
  }

  @Test func `noise suppression and gain control have their effects`() throws {
    let quiet = EchoSounds.babble(.seconds(4), level: -45)
    var canceller = try EchoCanceller(configuration: EchoCancellerConfiguration(gainTarget: 3))
    var louder = PCMBuffer(format: quiet.format)
    for start in stride(from: 0, to: quiet.frameCount, by: 160) {
      louder.append(try canceller.process(quiet.slice(start..<start + 160)))
    }
    #expect(louder.slice(32_000..<64_000).level > quiet.level + 3)

    let hiss = EchoSounds.hiss(.seconds(4), level: -40)
    var softener = try EchoCanceller(
      configuration: EchoCancellerConfiguration(noiseSuppression: .high))
    var softer = PCMBuffer(format: hiss.format)
    for start in stride(from: 0, to: hiss.frameCount, by: 160) {
      softer.append(try softener.process(hiss.slice(start..<start + 160)))
    }
    #expect(softer.slice(32_000..<64_000).level < hiss.level - 10)
  }

  @Test func `wrong formats and lengths are rejected`() throws {
    #expect(throws: AudioError.self) {
      _ = try EchoCanceller(format: AudioFormat(sampleRate: 44_100))
    }
    #expect(throws: AudioError.self) {
      _ = try EchoCanceller(configuration: EchoCancellerConfiguration(gainTarget: 32))
    }
    var canceller = try EchoCanceller()
    let long = PCMBuffer.silence(.milliseconds(20), format: .recognition)
    let fast = PCMBuffer.silence(.milliseconds(10), format: AudioFormat(sampleRate: 32_000))
    for sound in [long, fast, PCMBuffer(format: .recognition)] {
      var refusals = 0
      do { try canceller.analyse(playback: sound) } catch { refusals += 1 }
      do { _ = try canceller.process(sound) } catch { refusals += 1 }
      #expect(refusals == 2)
    }
  }
}
