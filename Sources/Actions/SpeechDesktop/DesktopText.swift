import Foundation

/// The text of the desktop: what is selected, what was copied, and a way to put text where the cursor is.
///
/// ```swift
/// let desktop = DesktopText()
/// let text = try await desktop.selection()
/// try await desktop.put(text.uppercased())
/// ```
/// It is reached through small programs that each desktop's package archive has: `wl-clipboard` and `wtype`
/// under Wayland; `xclip`, or `xsel`, and `xdotool` under X11. Whatever throws, throws `DesktopError`, or
/// `CancellationError` in a task that was cancelled.
public struct DesktopText: Sendable {
  /// The language that a desktop speaks with its programs.
  public enum Session: String, Sendable, Hashable, CaseIterable {
    /// Wayland.
    case wayland
    /// X11.
    case x11
  }

  /// How text is put where the cursor is.
  public enum Method: String, Sendable, Hashable, CaseIterable {
    /// Key by key.
    case type
    /// By way of the clipboard, which has it afterwards.
    case paste
  }

  /// Longer texts are pasted, as are those of several lines: many programs take a return key as “send”. Under
  /// X11 so are letters that not every keyboard has, because some are lost when they are typed.
  public static let longestTyped = 400

  /// What the desktop speaks; `nil` where there is none.
  public let session: Session?
  private let environment: [String: String]
  private let timeout: Duration

  /// The desktop that these variables tell of.
  ///
  /// - Parameter timeout: how long a program may take; typing gets more, by the length of the text.
  public init(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    timeout: Duration = .seconds(5)
  ) {
    func isSet(_ name: String) -> Bool { environment[name]?.isEmpty == false }
    session = isSet("WAYLAND_DISPLAY") ? .wayland : isSet("DISPLAY") ? .x11 : nil
    self.environment = environment
    self.timeout = timeout
  }

  /// The text that is selected in whatever window it is.
  public func selection() async throws -> String { try await read(.readSelection) }

  /// The text that was copied.
  public func clipboard() async throws -> String { try await read(.readClipboard) }

  /// Puts text on the clipboard.
  public func copy(_ text: String) async throws { try await perform(.copy, text) }

  /// Puts text where the cursor is; what is selected there is replaced.
  ///
  /// - Parameter method: how; `nil` to type what is short and plain, and to paste the rest.
  public func put(_ text: String, by method: Method? = nil) async throws {
    let isTyped =
      text.count <= Self.longestTyped && !text.contains(where: \.isNewline)
      && (session == .wayland || text.allSatisfy(\.isASCII))
    switch method ?? (isTyped ? .type : .paste) {
    case .type: try await perform(.type, text)
    case .paste:
      try await copy(text)
      try await perform(.pressPaste)
    }
  }

  /// The packages that are missing for all of this; none where there is no desktop.
  public var missingPackages: [String] {
    guard let session else { return [] }
    var packages: [String] = []
    for task in DesktopTool.Task.allCases {
      let tools = DesktopTool.tools(for: task, in: session)
      guard !tools.contains(where: { path(of: $0) != nil }), let first = tools.first,
        !packages.contains(first.package)
      else { continue }
      packages.append(first.package)
    }
    return packages
  }

  private func read(_ task: DesktopTool.Task) async throws -> String {
    let text = try await perform(task)
    guard !text.isEmpty else { throw DesktopError.nothingSelected }
    return text
  }

  /// Has the first program do it that is there and can.
  @discardableResult
  private func perform(_ task: DesktopTool.Task, _ text: String? = nil) async throws -> String {
    guard let session else { throw DesktopError.noDesktop }
    let tools = DesktopTool.tools(
      for: task, in: session, isPlain: text?.allSatisfy(\.isASCII) ?? true)
    var failure = DesktopError.missingProgram(
      tools.map(\.program), packages: tools.map(\.package))
    for tool in tools {
      guard let path = path(of: tool) else { continue }
      var run = ProgramRun(path, tool.arguments, environment: environment)
      run.input = text.map { Data($0.utf8) }
      // A key takes its time, with what programs need to take notice of it.
      run.timeout = timeout + .milliseconds(task == .type ? 100 * (text?.count ?? 0) : 0)
      do {
        let ending = try await run.run()
        if ending.status == 0 { return String(decoding: ending.output, as: UTF8.self) }
        failure = Self.failure(of: tool, task, ending)
      } catch let error as DesktopError {
        failure = error
      }
      // Half of it may have been typed.
      if task == .type, case .timedOut = failure { break }
    }
    throw failure
  }

  private static func failure(
    of tool: DesktopTool, _ task: DesktopTool.Task, _ ending: ProgramRun.Ending
  ) -> DesktopError {
    let words = ending.errors.trimmingCharacters(in: .whitespacesAndNewlines)
    let signs = [
      "not available", "No selection", "Nothing is copied", "No suitable type", "not support",
    ]
    if task.givesText, signs.contains(where: words.contains) { return .nothingSelected }
    return .failed(
      program: tool.program,
      reason: words.isEmpty ? "it ended with \(ending.status)." : String(words.prefix(300)))
  }

  private func path(of tool: DesktopTool) -> String? {
    ProgramRun.path(of: tool.program, environment)
  }
}
