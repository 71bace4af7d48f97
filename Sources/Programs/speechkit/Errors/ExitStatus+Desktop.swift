import SpeechCommand
import SpeechDesktop

extension DesktopError: ErrorWithExitStatus {
  package var exitStatus: ExitStatus { .unavailable }
}
