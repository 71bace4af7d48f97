import Foundation
import SpeechAudio
import Synchronization
import TestSupport
import Testing

struct SampleRingTests {
  @Test func `samples are read in the order written`() {
    let ring = SampleRing(capacity: 8)
    #expect(ring.write([1, 2, 3]) == 3)
    #expect(ring.count == 3)
    #expect(ring.read(upTo: 2) == [1, 2])
    #expect(ring.read(upTo: 9) == [3])
    #expect(ring.read(upTo: 9) == [])
    #expect(ring.totalRead == 3)
  }

  @Test func `the capacity is at least what was asked for`() {
    for (asked, given) in [(1, 1), (2, 2), (3, 4), (8, 8), (32_000, 32_768)] {
      #expect(SampleRing(capacity: asked).capacity == given)
    }
  }

  @Test func `a full ring accepts as much as fits`() {
    let ring = SampleRing(capacity: 4)
    #expect(ring.write([1, 2, 3, 4, 5, 6]) == 4)
    #expect(ring.space == 0)
    #expect(ring.write([7]) == 0)
    #expect(ring.read(upTo: 1) == [1])
    #expect(ring.write([7, 8]) == 1)
    #expect(ring.read(upTo: 4) == [2, 3, 4, 7])
  }

  @Test func `audio that wraps around the end stays complete`() {
    let ring = SampleRing(capacity: 8)
    var next: Int16 = 0
    var expected: Int16 = 0
    for length in [5, 7, 3, 8, 1, 6, 8, 2] {
      let written = (0..<length).map { next + Int16($0) }
      #expect(ring.write(written) == length)
      next += Int16(length)
      let read = ring.read(upTo: length)
      #expect(read == (0..<length).map { expected + Int16($0) })
      expected += Int16(length)
    }
  }

  @Test func `an empty buffer has no effect`() {
    let ring = SampleRing(capacity: 4)
    #expect(ring.write(UnsafeBufferPointer(start: nil, count: 0)) == 0)
    #expect(ring.read(into: UnsafeMutableBufferPointer(start: nil, count: 0)) == 0)
    #expect(ring.write([]) == 0)
  }

  /// Owns a ring so that two threads can have it.
  private final class Shared: Sendable {
    let ring = SampleRing(capacity: 1_000)
  }

  @Test func `two threads lose and change nothing`() async {
    let shared = Shared()
    let total = Endurance.count(full: 300_000, short: 30_000)
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      var sent = 0
      while sent < total {
        let length = min(1 + sent % 379, total - sent)
        let start = sent
        sent += shared.ring.write((0..<length).map { Int16(truncatingIfNeeded: start + $0) })
      }
      done.signal()
    }
    let wrong = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        var wrong = 0
        var received = 0
        while received < total {
          for sample in shared.ring.read(upTo: 1 + received % 441) {
            if sample != Int16(truncatingIfNeeded: received) { wrong += 1 }
            received += 1
          }
        }
        done.wait()
        continuation.resume(returning: wrong)
      }
    }
    #expect(wrong == 0)
    #expect(shared.ring.count == 0)
  }
}

extension SampleRing {
  fileprivate func write(_ samples: [Int16]) -> Int {
    samples.withUnsafeBufferPointer { write($0) }
  }
}
