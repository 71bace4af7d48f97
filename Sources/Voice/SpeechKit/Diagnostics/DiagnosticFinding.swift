/// The state of one part of the toolkit on this machine.
public struct DiagnosticFinding: Sendable, Hashable, Codable {
  /// The severity of a finding.
  public enum Status: String, Sendable, Codable, CaseIterable {
    /// The part works.
    case ok
    /// The part is missing, and most of the toolkit works without it.
    case warning
    /// The part is missing or broken, and what depends on it does not work.
    case failure
  }

  /// The part's identifier, for programs: `recognition.model`, `devices.input`.
  public var part: String
  /// The part's name, for people.
  public var title: String
  /// The severity of the finding.
  public var status: Status
  /// A description of the part's state.
  public var detail: String
  /// The steps that repair it; `nil` when nothing needs to be done.
  public var remedy: String?
}
