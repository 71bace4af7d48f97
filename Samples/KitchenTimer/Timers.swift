import SpeechKit

/// Timers that speak when their time is up.
@MainActor
final class Timers {
  weak var loop: VoiceLoop?
  private let clock: any DeviceClock

  init(clock: any DeviceClock) {
    self.clock = clock
  }

  func set(_ time: Duration, _ message: String) {
    Task { [clock] in
      try await clock.sleep(until: clock.time + time)
      loop?.say(message)
    }
  }
}
