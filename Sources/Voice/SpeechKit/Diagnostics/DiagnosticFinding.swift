/// What was found about one part of the toolkit on this machine.
public struct DiagnosticFinding: Sendable, Hashable, Codable {
  /// How good or bad it is.
  public enum Status: String, Sendable, Codable, CaseIterable {
    /// It works.
    case ok
    /// It is missing, and most of the toolkit works without it.
    case warning
    /// It is missing or broken, and what depends on it does not work.
    case failure
  }

  /// What was looked at, for programs: `recognition.model`, `devices.input`.
  public var part: String
  /// What was looked at, for people.
  public var title: String
  /// How good or bad it is.
  public var status: Status
  /// What was seen.
  public var detail: String
  /// What to do about it; `nil` when nothing needs to be done.
  public var remedy: String?

  /// A finding.
  public init(
    part: String, title: String, status: Status, detail: String, remedy: String? = nil
  ) {
    self.part = part
    self.title = title
    self.status = status
    self.detail = detail
    self.remedy = remedy
  }
}
