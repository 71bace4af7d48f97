import Foundation

/// What can go wrong between a program and the desktop.
public enum DesktopError: Error, Sendable, Hashable {
  /// There is no desktop: neither Wayland nor X11.
  case noDesktop
  /// A program that does it is missing; one of the packages has it.
  case missingProgram([String], packages: [String])
  /// Nothing is selected, or copied, that is text.
  case nothingSelected
  /// The program said no.
  case failed(program: String, reason: String)
  /// The program did not come to an end.
  case timedOut(program: String, Duration)
}

extension DesktopError: LocalizedError {
  /// What happened, and what to do about it.
  public var errorDescription: String? {
    switch self {
    case .noDesktop:
      "There is no desktop here: neither WAYLAND_DISPLAY nor DISPLAY is set. Start this from a terminal or a "
        + "hot key of the desktop, or pass the text itself."
    case .missingProgram(let programs, let packages):
      "This needs \(Self.list(programs)). Install it: sudo apt install \(packages.first ?? "")"
        + (packages.count > 1 ? " (or \(Self.list(Array(packages.dropFirst()))))" : "") + "."
    case .nothingSelected: "No text is selected. Mark some and try again."
    case .failed(let program, let reason): "\(program) failed: \(reason)"
    case .timedOut(let program, let time):
      "\(program) did not end within \(time.formatted(.units(allowed: [.seconds, .milliseconds]))), and was "
        + "ended. The program that has the selection may hang."
    }
  }

  private static func list(_ names: [String]) -> String {
    names.count < 2
      ? names.joined() : names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }
}
