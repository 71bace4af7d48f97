import SpeechCommand
import SpeechConcurrency
import SpeechKit

/// The space key of the terminal as push-to-talk key. A terminal does not report the release of a
/// key, so one press begins a turn and the next one ends it.
final class KeyPresses: Sendable {
  private let descriptor: Int32
  private let before: termios
  private let isOver = OnceFlag()
  private let keys: AsyncStream<UInt8>

  /// Reads keys without echo until `end()`, if standard input is a terminal.
  init(_ descriptor: Int32 = STDIN_FILENO) throws {
    var settings = termios()
    guard isatty(descriptor) == 1, tcgetattr(descriptor, &settings) == 0 else {
      throw CommandFailure(
        .unavailable,
        "--push-to-talk needs a terminal as standard input, whose space key is pressed.")
    }
    self.descriptor = descriptor
    before = settings
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(descriptor, TCSANOW, &settings)
    let (keys, pressed) = AsyncStream.makeStream(of: UInt8.self)
    self.keys = keys
    let isOver = isOver
    Thread.detachNewThread {
      while !isOver.isUp {
        var wish = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        // With a timeout, so that the end is noticed.
        guard poll(&wish, 1, 50) > 0 else { continue }
        var key: UInt8 = 0
        guard read(descriptor, &key, 1) == 1 else { break }
        pressed.yield(key)
      }
      pressed.finish()
    }
  }

  /// Passes the key presses to the loop until `end()`.
  @MainActor func steer(_ loop: VoiceLoop) async {
    var isDown = false
    for await key in keys where key == UInt8(ascii: " ") {
      if isDown { loop.releaseToTalk() } else { loop.pressToTalk() }
      isDown.toggle()
    }
  }

  /// Restores the terminal. May be called more than once, on any thread.
  func end() {
    guard isOver.raise() else { return }
    var settings = before
    tcsetattr(descriptor, TCSANOW, &settings)
  }
}
