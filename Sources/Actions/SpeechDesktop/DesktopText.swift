import Foundation
import SpeechFiles

/// The text of the desktop: reads the selection and the clipboard, and inserts text at the cursor.
///
/// ```swift
/// let desktop = DesktopText()
/// let text = try await desktop.selection()
/// try await desktop.put(text.uppercased())
/// ```
/// Access goes through small programs that are in each distribution's archive: `wl-clipboard` and
/// `wtype` under Wayland; `xclip` or `xsel`, and `xdotool` under X11. Methods throw `DesktopError`,
/// or `CancellationError` in a cancelled task.
public struct DesktopText: Sendable {
  /// The display protocol of a desktop.
  public enum Session: String, Sendable, Hashable, CaseIterable {
    /// The Wayland protocol.
    case wayland
    /// The X11 protocol.
    case x11
  }

  /// A way to insert text at the cursor.
  public enum Method: String, Sendable, Hashable, CaseIterable {
    /// Types the text key by key.
    case type
    /// Pastes the text through the clipboard, which keeps it.
    case paste
  }

  /// The maximum length of text that is typed. Longer texts are pasted, and so are texts of several
  /// lines, because many programs take a return key as “send”. Under X11 non-ASCII text is pasted
  /// too, because typing loses some characters.
  public static let longestTyped = 400

  /// The display protocol; `nil` without a desktop.
  public let session: Session?
  private let environment: [String: String]
  private let timeout: Duration

  /// Creates access to the desktop that the environment describes.
  ///
  /// - Parameter timeout: The time limit for a helper program. Typing gets more, depending on the
  ///   length of the text.
  public init(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    timeout: Duration = .seconds(5)
  ) {
    func isSet(_ name: String) -> Bool { environment[name]?.isEmpty == false }
    session = isSet("WAYLAND_DISPLAY") ? .wayland : isSet("DISPLAY") ? .x11 : nil
    self.environment = environment
    self.timeout = timeout
  }

  /// Returns the selected text of any window.
  public func selection() async throws -> String { try await read(.readSelection) }

  /// Returns the text of the clipboard.
  public func clipboard() async throws -> String { try await read(.readClipboard) }

  /// Copies text to the clipboard.
  public func copy(_ text: String) async throws { try await perform(.copy, text) }

  /// Inserts text at the cursor, replacing the selection.
  ///
  /// - Parameter method: The way to insert it; `nil` to type short plain text, and to paste other
  ///   text.
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

  /// The Debian packages that are missing for full access; empty without a desktop.
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

  /// Runs the first installed program that succeeds.
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
      // Each key takes time, and so does the receiving program.
      run.timeout = timeout + .milliseconds(task == .type ? 100 * (text?.count ?? 0) : 0)
      do {
        let ending = try await run.run()
        if ending.status == 0 { return String(decoding: ending.output, as: UTF8.self) }
        failure = Self.failure(of: tool, task, ending)
      } catch let error as DesktopError {
        failure = error
      }
      // Part of the text may have been typed.
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
      reason: words.isEmpty ? "it ended with status \(ending.status)." : String(words.prefix(300)))
  }

  private func path(of tool: DesktopTool) -> String? {
    ProcessStart.path(of: tool.program, environment)
  }
}
