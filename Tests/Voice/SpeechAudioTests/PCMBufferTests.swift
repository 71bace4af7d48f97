import Foundation
import SpeechAudio
import Testing

struct PCMBufferTests {
  @Test(arguments: [400, 1e9, -Double.infinity, -400]) func `any amplification stays in range`(
    decibels: Double
  ) {
    let buffer = PCMBuffer(samples: [0, 1, -1, .max, .min], format: .recognition)
    let changed = buffer.amplified(byDecibels: decibels).samples
    #expect(changed == (decibels > 0 ? [0, .max, .min, .max, .min] : [0, 0, 0, 0, 0]))
  }

  @Test func `six decibels are twice the amplitude`() {
    let buffer = PCMBuffer(samples: [100, -100], format: .recognition)
    #expect(buffer.amplified(byDecibels: 20 * log10(2)).samples == [200, -200])
  }

  @Test func `the error of a lost device says what to do`() {
    let lost = AudioError.deviceLost(name: "Headset", reason: "it did not come back")
    #expect(
      lost.localizedDescription
        == "The device “Headset” was disconnected: it did not come back. Connect it again, or "
        + "choose another device.")
  }
}
