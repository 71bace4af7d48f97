import AIServices

/// A key of the keyboard.
public struct BrowserKey: Sendable {
  var key: String
  var code: String
  var number: Int
  /// The text that the key types.
  var text: String?

  /// To the next control.
  public static let tab = BrowserKey(key: "Tab", code: "Tab", number: 9)
  /// Does what the focused control is for.
  public static let enter = BrowserKey(key: "Enter", code: "Enter", number: 13, text: "\r")
  /// Presses a button, ticks a box.
  public static let space = BrowserKey(key: " ", code: "Space", number: 32, text: " ")
  /// Leaves a dialogue.
  public static let escape = BrowserKey(key: "Escape", code: "Escape", number: 27)
  /// Takes the character before away.
  public static let backspace = BrowserKey(key: "Backspace", code: "Backspace", number: 8)
  /// Down.
  public static let down = BrowserKey(key: "ArrowDown", code: "ArrowDown", number: 40)
  /// Up.
  public static let up = BrowserKey(key: "ArrowUp", code: "ArrowUp", number: 38)
  /// To the left.
  public static let left = BrowserKey(key: "ArrowLeft", code: "ArrowLeft", number: 37)
  /// To the right.
  public static let right = BrowserKey(key: "ArrowRight", code: "ArrowRight", number: 39)
  /// To the beginning.
  public static let home = BrowserKey(key: "Home", code: "Home", number: 36)
  /// To the end.
  public static let end = BrowserKey(key: "End", code: "End", number: 35)

  /// The key that writes a character.
  public static func character(_ character: Character) -> BrowserKey {
    guard !character.isNewline else { return .enter }
    let number = character.uppercased().utf8.first.map { Int($0) } ?? 0
    let isLetter = character.isASCII && character.isLetter
    return BrowserKey(
      key: String(character), code: isLetter ? "Key\(character.uppercased())" : "",
      number: isLetter || character.isASCII && character.isNumber ? number : 0,
      text: String(character))
  }
}

/// Keys that are held down with another.
public struct BrowserModifiers: OptionSet, Sendable {
  /// As the browser counts them.
  public let rawValue: Int

  /// Keys by the browser's number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Alt.
  public static let alt = BrowserModifiers(rawValue: 1)
  /// Control.
  public static let control = BrowserModifiers(rawValue: 2)
  /// Shift.
  public static let shift = BrowserModifiers(rawValue: 8)
}

extension BrowserPage {
  /// Presses a key and lets it go.
  public func press(_ key: BrowserKey, with modifiers: BrowserModifiers = []) async throws {
    var event: [String: SendableValue] = [
      "key": .string(key.key), "code": .string(key.code),
      "windowsVirtualKeyCode": .int(key.number), "modifiers": .int(modifiers.rawValue),
    ]
    // With Control a key is a command and writes nothing.
    if let text = key.text, !modifiers.contains(.control) { event["text"] = .string(text) }
    event["type"] = event["text"] == nil ? "rawKeyDown" : "keyDown"
    _ = try await call("Input.dispatchKeyEvent", event)
    event["type"] = "keyUp"
    event["text"] = nil
    _ = try await call("Input.dispatchKeyEvent", event)
  }

  /// Types a text into what has the focus, key by key.
  public func type(_ text: String) async throws {
    for character in text { try await press(.character(character)) }
  }

  /// Selects all in what has the focus.
  public func selectAll() async throws { try await command("a", "selectAll") }

  /// Puts in what is on the clipboard, where the focus is.
  public func paste() async throws { try await command("v", "paste") }

  /// Presses a key with Control, whose meaning is the desktop's matter and has to be told.
  private func command(_ character: Character, _ meaning: String) async throws {
    let key = BrowserKey.character(character)
    var event: [String: SendableValue] = [
      "type": "rawKeyDown", "key": .string(key.key), "code": .string(key.code),
      "windowsVirtualKeyCode": .int(key.number),
      "modifiers": .int(BrowserModifiers.control.rawValue), "commands": [.string(meaning)],
    ]
    _ = try await call("Input.dispatchKeyEvent", event)
    event["type"] = "keyUp"
    event["commands"] = nil
    _ = try await call("Input.dispatchKeyEvent", event)
  }

  /// Clicks with the mouse into the middle of the element that a CSS selector finds first.
  ///
  /// - Throws: `BrowserError` when there is none, or something else lies over it.
  public func click(_ selector: String) async throws {
    let name = Self.quoted(selector)
    let point: [Double] = try await evaluate(
      """
      (() => {
        const element = document.querySelector(\(name));
        if (!element) throw new Error("There is no " + \(name));
        element.scrollIntoView({block: "center", behavior: "instant"});
        const box = element.getBoundingClientRect();
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
        const hit = document.elementFromPoint(x, y);
        if (!hit || !(element.contains(hit) || hit.contains(element)))
          throw new Error(\(name) + " is covered by " + (hit ? hit.outerHTML.slice(0, 80) : "nothing"));
        return [x, y];
      })()
      """)
    for step in ["mouseMoved", "mousePressed", "mouseReleased"] {
      _ = try await call(
        "Input.dispatchMouseEvent",
        [
          "type": .string(step), "x": .double(point[0]), "y": .double(point[1]), "button": "left",
          "clickCount": step == "mouseMoved" ? 0 : 1,
        ])
    }
  }

  /// Goes on with Tab until the focus is on what a CSS selector finds, as somebody without a mouse
  /// does.
  ///
  /// - Throws: `BrowserError` when it never is.
  public func tab(
    to selector: String, with modifiers: BrowserModifiers = [], atMost limit: Int = 120
  ) async throws {
    for _ in 0..<limit {
      try await press(.tab, with: modifiers)
      let name = Self.quoted(selector)
      if try await evaluate("!!document.activeElement?.matches(\(name))", as: Bool.self) { return }
    }
    throw BrowserError("\(selector) is not reached by the keyboard.")
  }
}
