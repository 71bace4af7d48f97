import Testing

@testable import SpeechPortAudio

struct PlaybackLedgerTests {
  /// Sends at most that many frames, and returns them.
  private func send(_ ledger: inout PlaybackLedger, _ most: Int) -> [Int16] {
    var sent: [Int16] = []
    ledger.send { samples in
      sent = Array(samples.prefix(most))
      return sent.count
    }
    return sent
  }

  @Test func `frames are sent once and in order`() {
    var ledger = PlaybackLedger()
    ledger.append([1, 2, 3])
    #expect(send(&ledger, 2) == [1, 2])
    ledger.append([4])
    #expect(send(&ledger, 9) == [3, 4])
    #expect(send(&ledger, 9) == [])
    #expect((ledger.added, ledger.sent) == (4, 4))
  }

  @Test func `unheard audio is sent again after a loss`() {
    var ledger = PlaybackLedger()
    ledger.append(1...10)
    _ = send(&ledger, 8)
    ledger.markHeard(5)
    ledger.rewind()
    #expect(send(&ledger, 99) == [6, 7, 8, 9, 10])
  }

  @Test func `nothing is heard twice or before it was sent`() {
    var ledger = PlaybackLedger()
    ledger.append(1...10)
    _ = send(&ledger, 4)
    ledger.markHeard(9)
    #expect(ledger.heard == 4)
    ledger.markHeard(2)
    #expect(ledger.heard == 4)
  }

  @Test func `a long playback discards heard audio and keeps the rest`() {
    var ledger = PlaybackLedger()
    var received: [Int16] = []
    var expected: [Int16] = []
    for round in 0..<200 {
      let piece = (0..<997).map { Int16(truncatingIfNeeded: round * 997 + $0) }
      ledger.append(piece)
      expected += piece
      received += send(&ledger, 1_000)
      ledger.markHeard(max(0, ledger.sent - 300))
      if round % 10 == 9 {
        received.removeLast(ledger.sent - ledger.heard)
        ledger.rewind()
      }
    }
    received += send(&ledger, .max)
    #expect(received == expected)
  }
}
