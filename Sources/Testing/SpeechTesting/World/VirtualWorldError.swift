import Foundation

/// An error that ends a virtual world.
public enum VirtualWorldError: Error, Sendable, Equatable, LocalizedError {
  /// One was begun inside another.
  case worldUnderWay
  /// Everything waits, and for nothing that could still happen.
  case standstill
  /// The machine was used without `ExternalWork`, so the outcome would depend on it.
  case usedHost(HostUse)

  /// A description of the error and its remedy.
  public var errorDescription: String? {
    switch self {
    case .worldUnderWay:
      "A virtual world cannot be run inside another. Run them one after the other."
    case .standstill:
      "Everything in the virtual world waits for something that will never happen. "
        + "End the streams and captures that are still open."
    case .usedHost(let use): use.description
    }
  }
}

/// A use of the machine that a virtual world does not allow, because the outcome would depend on
/// how fast the machine is or what it contains.
public struct HostUse: Sendable, Equatable, CustomStringConvertible {
  /// A kind of use.
  public enum Kind: Sendable, Equatable {
    /// The time of the machine was read.
    case clock
    /// Time of the machine was waited for.
    case pause
    /// A socket was made or connected, or a host name was looked up.
    case socket
    /// A file was opened.
    case file(path: String)
    /// A process was started.
    case process
    /// A task was resumed by a thread outside, such as the callback of a timer, a socket or a
    /// process.
    case callback
  }

  /// The handler that was at work, such as the type of a responder; `nil` if it was none.
  public var handler: String?
  /// The kind of use.
  public var kind: Kind
  /// The function that was called; `nil` for a callback.
  public var function: String?

  package init(handler: String?, kind: Kind, function: String? = nil) {
    self.handler = handler
    self.kind = kind
    self.function = function
  }

  /// A description of what happened and what to do.
  public var description: String {
    let subject = handler.map { "The handler \($0)" } ?? "Code in the virtual world"
    let call = function.map { " (\($0))" } ?? ""
    return switch kind {
    case .clock:
      "\(subject) read the clock of this machine\(call). Use the clock of the virtual world."
    case .pause:
      "\(subject) waited for the clock of this machine\(call). "
        + "Sleep on the clock of the virtual world."
    case .socket: "\(subject) opened a socket\(call). Do this in ExternalWork.run."
    case .file(let path):
      "\(subject) opened the file “\(path)”\(call). Do this in ExternalWork.run."
    case .process: "\(subject) started a process\(call). Do this in ExternalWork.run."
    case .callback:
      "\(subject) was resumed by a timer, a socket, a process or another thread of this machine. "
        + "Wait for it in ExternalWork.run."
    }
  }
}
