/// The exit status of the program, for scripts.
///
/// The numbers are those of `sysexits.h`, 1 as `diff` and `grep` use it, and 128 plus the number of
/// a signal.
package enum ExitStatus: Int32, Sendable, CaseIterable {
  case success = 0
  case different = 1
  case usage = 64
  case badData = 65
  case noInput = 66
  case unavailable = 69
  case software = 70
  case systemError = 71
  case cannotCreate = 73
  case ioError = 74
  case hungUp = 129
  case interrupted = 130
  case terminated = 143

  package var meaning: String {
    switch self {
    case .success: "The work was done."
    case .different: "The work was done, and the result is not what was expected."
    case .usage: "The command line has a mistake."
    case .badData: "The input cannot be used."
    case .noInput: "An input file is missing or cannot be read."
    case .unavailable: "Something is missing: a device, a model, a voice, a service."
    case .software: "An error in speechkit itself."
    case .systemError: "There is not enough memory."
    case .cannotCreate: "An output file or a temporary file cannot be written."
    case .ioError: "Standard input or output failed, for example on a full disk."
    case .hungUp: "The terminal was closed."
    case .interrupted: "Interrupted with Ctrl-C; the results so far are kept."
    case .terminated: "Ended by SIGTERM; the results so far are kept."
    }
  }

  package init(signal: Int32) {
    self = ExitStatus(rawValue: 128 + signal) ?? .terminated
  }

  package init(_ error: any Error) {
    self = (error as? any ErrorWithExitStatus)?.exitStatus ?? .software
  }
}

/// An error that has an exit status of its own; others are errors in speechkit itself.
package protocol ErrorWithExitStatus: Error {
  var exitStatus: ExitStatus { get }
}
