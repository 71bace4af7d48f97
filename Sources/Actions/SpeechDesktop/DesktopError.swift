import Foundation

/// An error of reading from or writing to the desktop.
public enum DesktopError: Error, Sendable, Hashable {
  /// Neither Wayland nor X11 is running.
  case noDesktop
  /// A helper program is missing. One of the packages provides it.
  case missingProgram([String], packages: [String])
  /// There is no selected or copied text.
  case nothingSelected
  /// A helper program failed.
  case failed(program: String, reason: String)
  /// A helper program did not end in time.
  case timedOut(program: String, Duration)
}

extension DesktopError: LocalizedError {
  /// A description of the error and its remedy.
  public var errorDescription: String? {
    switch self {
    case .noDesktop:
      "There is no desktop: neither WAYLAND_DISPLAY nor DISPLAY is set. Start the program from a "
        + "terminal or a hot key of the desktop, or pass the text itself."
    case .missingProgram(let programs, let packages):
      "This needs \(Self.list(programs)). Install it: sudo apt install \(packages.first ?? "")"
        + (packages.count > 1 ? " (or \(Self.list(Array(packages.dropFirst()))))" : "") + "."
    case .nothingSelected: "No text is selected. Select some and try again."
    case .failed(let program, let reason): "\(program) failed: \(reason)"
    case .timedOut(let program, let time):
      "\(program) did not end within \(time.formatted(.units(allowed: [.seconds, .milliseconds]))) "
        + "and was stopped. The program that owns the selection may not be responding."
    }
  }

  private static func list(_ names: [String]) -> String {
    names.count < 2
      ? names.joined() : names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }
}
