import SpeechAudio
import Testing

@testable import SpeechPortAudio

struct PlaybackMachineTests {
  private func machine(timeout: Duration = .seconds(5)) -> PlaybackMachine {
    PlaybackMachine(deviceName: "test", target: 100, returnTimeout: timeout, now: 0)
  }

  /// Sends everything to the stream, of which some is taken and some is heard.
  private func play(_ machine: inout PlaybackMachine, taken: Int, heard: Int) {
    machine.send { $0.count }
    machine.note(taken: taken, heard: heard)
  }

  @Test func `there is room up to the target, and again after the device took some`() {
    var machine = machine()
    #expect(machine.answer(.room) == .fulfilled)
    machine.append([Int16](repeating: 1, count: 100))
    #expect(machine.answer(.room) == nil)
    play(&machine, taken: 1, heard: 0)
    #expect(machine.answer(.room) == .fulfilled)
  }

  @Test func `a playback ends when everything was heard, not when everything was taken`() {
    var machine = machine()
    machine.append([1, 2, 3])
    machine.beginFinishing()
    play(&machine, taken: 3, heard: 2)
    #expect(machine.answer(.end) == nil)
    play(&machine, taken: 3, heard: 3)
    #expect(machine.answer(.end) == .fulfilled)
  }

  @Test func `a playback of nothing ends at once`() {
    var machine = machine()
    machine.beginFinishing()
    #expect(machine.answer(.end) == .fulfilled)
  }

  @Test func `no audio is accepted while finishing`() {
    var machine = machine()
    machine.beginFinishing()
    #expect(!machine.acceptsSound)
    #expect(machine.answer(.room) == .cancelled)
    machine.end()
    #expect(machine.answer(.room) == .cancelled)
    #expect(machine.answer(.heard(9)) == .fulfilled)
  }

  @Test func `stopping cancels every wait`() {
    var machine = machine()
    machine.append([1, 2, 3])
    machine.stop()
    machine.append([4])
    #expect(machine.added == 3)
    for wish in [PlaybackMachine.Wish.room, .heard(3), .end] {
      #expect(machine.answer(wish) == .cancelled)
    }
    machine.end()
    #expect(machine.answer(.end) == .cancelled)
  }

  @Test func `a stalled device is released, and unheard audio is sent again`() {
    var machine = machine()
    machine.append([1, 2, 3, 4, 5])
    play(&machine, taken: 5, heard: 2)
    #expect(machine.tick(callbacks: 1, hasFinished: false, now: 10_000_000) == nil)
    var now = 10_000_000
    while machine.tick(callbacks: 1, hasFinished: false, now: now) == nil { now += 10_000_000 }
    #expect(now < 1_000_000_000)
    #expect(machine.answer(.room) == nil)
    let wanted = machine.reopened(now: now)
    #expect(wanted)
    var sent: [Int16] = []
    machine.send { samples in
      sent = Array(samples)
      return samples.count
    }
    #expect(sent == [3, 4, 5])
    machine.note(taken: 3, heard: 3)
    machine.beginFinishing()
    #expect(machine.answer(.end) == .fulfilled)
  }

  @Test func `audio that a lost device held does not count as heard`() {
    var machine = machine()
    _ = machine.tick(callbacks: 1, hasFinished: false, now: 1_000_000_000)
    #expect(machine.believable(1_010_000_000) == 1_010_000_000)
    #expect(machine.believable(1_500_000_000) < 1_100_000_000)
  }

  @Test func `a device that does not come back in time ends the playback with an error`() {
    var machine = machine(timeout: .seconds(1))
    machine.append([1])
    #expect(machine.tick(callbacks: 0, hasFinished: true, now: 0) == .letGo)
    #expect(machine.tick(callbacks: 0, hasFinished: false, now: 100_000_000) == .reopen)
    machine.reopenFailed(now: 150_000_000)
    #expect(machine.tick(callbacks: 0, hasFinished: false, now: 1_000_000_000) == nil)
    guard case .failed(.deviceLost(name: "test", _))? = machine.answer(.end) else {
      Issue.record("\(String(describing: machine.answer(.end)))")
      return
    }
    #expect(machine.hasEnded)
    let wanted = machine.reopened(now: 1_100_000_000)
    #expect(!wanted)
  }

  @Test func `a device that reopens repeatedly without playing is not awaited forever`() {
    var machine = machine(timeout: .seconds(5))
    machine.append([1])
    var now = 0
    var openings = 0
    _ = machine.tick(callbacks: 1, hasFinished: true, now: now)
    while !machine.hasEnded, now < 60_000_000_000 {
      now += 10_000_000
      if machine.tick(callbacks: 0, hasFinished: false, now: now) == .reopen {
        openings += 1
        _ = machine.reopened(now: now)
      }
    }
    #expect(openings > 1)
    #expect(now < 9_000_000_000)
    guard case .failed(.deviceLost)? = machine.answer(.end) else {
      Issue.record("\(String(describing: machine.answer(.end)))")
      return
    }
  }

  @Test func `a device that has played again gets its full timeout when it is lost again`() {
    var machine = machine(timeout: .seconds(5))
    machine.append([1])
    _ = machine.tick(callbacks: 1, hasFinished: true, now: 0)
    let isWanted = machine.reopened(now: 4_000_000_000)
    #expect(isWanted)
    _ = machine.tick(callbacks: 1, hasFinished: false, now: 4_010_000_000)
    #expect(machine.tick(callbacks: 1, hasFinished: true, now: 4_500_000_000) == .letGo)
    _ = machine.tick(callbacks: 0, hasFinished: false, now: 9_000_000_000)
    #expect(!machine.hasEnded)
    machine.reopenFailed(now: 9_000_000_000)
    _ = machine.tick(callbacks: 0, hasFinished: false, now: 9_600_000_000)
    #expect(machine.hasEnded)
  }
}
