import Foundation
import Testing

@testable import SpeechPortAudio

extension DeviceTests {
  @Suite(.serialized) struct Silence {
    private struct Failure: Error {}

    /// What standard error is: its device and file number.
    private func target() -> [UInt64] {
      var status = stat()
      fstat(STDERR_FILENO, &status)
      return [UInt64(status.st_dev), UInt64(status.st_ino), UInt64(status.st_rdev)]
    }

    @Test func `standard error is back afterwards, also after a failure`() {
      let before = target()
      let inside = StandardErrorSilence.during { target() }
      #expect(inside != before)
      #expect(target() == before)
      #expect(throws: Failure.self) { try StandardErrorSilence.during { throw Failure() } }
      #expect(target() == before)
    }

    @Test func `no descriptor is left behind`() {
      // The lowest free number shows whether one below it was kept.
      func lowest() -> Int32 {
        let free = dup(STDERR_FILENO)
        close(free)
        return free
      }
      let before = lowest()
      for _ in 0..<100 { StandardErrorSilence.during {} }
      #expect(lowest() <= before + 8)
    }
  }
}
