import AIServices
import SpeechActions

/// Changes of a stored value that options of a command describe. The options are those of its table of fields.
struct FieldOptions<Owner: FieldTable>: Sendable {
  /// The options that set a field.
  static var declarations: [OptionDeclaration] {
    Owner.fields.compactMap { $0.declaration }
  }

  /// The option that removes values.
  static var unset: ValueOption<String> {
    var names: [String] = []
    for name in Owner.fields.compactMap(\.removalName) where !names.contains(name) {
      names.append(name)
    }
    let known = names
    return ValueOption(
      "unset", value: "SETTING", help: "Remove a setting. May be repeated.",
      hint: .choices(known)
    ) { text throws(UsageError) in
      guard known.contains(text) else {
        throw UsageError("--unset takes \(known.joined(separator: ", ")), not “\(text)”")
      }
      return text
    }
  }

  /// The path of the JSON schema to read; `nil` if no such option was given.
  let schemaPath: String?
  /// True if none of the options was given.
  let isEmpty: Bool
  private let removals: [String]
  private let arguments: ParsedArguments

  init(_ arguments: ParsedArguments) {
    self.arguments = arguments
    removals = arguments.all(Self.unset)
    schemaPath = Owner.fields.lazy.compactMap { $0.fileOption }.compactMap { arguments[$0] }.first
    isEmpty =
      removals.isEmpty
      && !Self.declarations.contains { arguments.has($0) }
  }

  /// Changes what the options name.
  ///
  /// - Parameter schema: the content of the file at `schemaPath`.
  /// - Throws: `UsageError` for options that do not apply, or that need another one.
  func apply(to owner: inout Owner, schema: FieldValue? = nil) throws(UsageError) {
    for field in Owner.fields {
      if let name = field.removalName, removals.contains(name) { field.remove(from: &owner) }
    }
    for (field, value) in impliedValues { try set(field, value, of: &owner) }
    for field in Owner.fields {
      guard let value = given(field) ?? (field.fileOption == nil ? nil : schema) else { continue }
      guard owner.applies(field) else { throw Self.inapplicable(field) }
      try set(field, Self.merged(value, field.value(of: owner)), of: &owner)
    }
    for field in owner.missingFields {
      guard let condition = field.condition, let option = field.option else { continue }
      let deciding = Self.spelling(of: condition)
      throw UsageError("\(deciding) needs --\(option.name) \(option.placeholder).")
    }
  }

  /// The values that options imply: `--deployment` means `--kind azure`.
  private var impliedValues: [(Field<Owner>, FieldValue)] {
    Owner.fields.compactMap { field in
      guard let declaration = field.declaration, arguments.has(declaration),
        let condition = field.condition, let value = condition.value,
        let deciding = Owner.field(condition.key), given(deciding) == nil
      else { return nil }
      return (deciding, .text(value))
    }
  }

  /// The value that the options give a field; `nil` for none.
  private func given(_ field: Field<Owner>) -> FieldValue? {
    if let flag = field.flag { return arguments[flag] ? .bool(true) : nil }
    guard let option = field.valueOption else { return nil }
    let values = arguments.all(option)
    switch field.type {
    case .list, .choices:
      return values.isEmpty ? nil : .list(values.flatMap { $0.list ?? [] })
    case .pairs:
      guard !values.isEmpty else { return nil }
      return values.dropFirst().reduce(values[0]) { Self.merged($1, $0) }
    default: return values.last
    }
  }

  /// Names with values are added to those that there are.
  private static func merged(_ value: FieldValue, _ present: FieldValue?) -> FieldValue {
    guard case .pairs(let new) = value, case .pairs(let old)? = present else { return value }
    return .pairs(old.merging(new) { $1 })
  }

  private func set(
    _ field: Field<Owner>, _ value: FieldValue, of owner: inout Owner
  ) throws(UsageError) {
    do throws(FieldError) {
      try field.set(value, of: &owner)
    } catch {
      throw UsageError("--\(field.option?.name ?? field.key) \(error.message)")
    }
  }

  private static func inapplicable(_ field: Field<Owner>) -> UsageError {
    let needed = field.condition.map(spelling) ?? ""
    return UsageError("--\(field.option?.name ?? field.key) applies only with \(needed).")
  }

  private static func spelling(of condition: Field<Owner>.Condition) -> String {
    let name = Owner.field(condition.key)?.option?.name ?? condition.key
    return "--\(name)" + (condition.value.map { " \($0)" } ?? "")
  }
}

extension Field {
  /// The option that sets the field; `nil` for a field without one.
  fileprivate var declaration: OptionDeclaration? {
    flag?.declaration ?? fileOption?.declaration ?? valueOption?.declaration
  }

  fileprivate var flag: Flag? {
    option.flatMap { $0.isFlag ? Flag("--\($0.name)", help: help) : nil }
  }

  /// The option that names a file with the value.
  fileprivate var fileOption: ValueOption<String>? {
    guard let option, case .json = type else { return nil }
    return ValueOption<String>(
      option.name, short: option.short, value: option.placeholder, help: help, hint: .input)
  }

  fileprivate var valueOption: ValueOption<FieldValue>? {
    guard let option, !option.isFlag, fileOption == nil else { return nil }
    let type = type
    return ValueOption<FieldValue>(
      option.name, short: option.short, value: option.placeholder, help: optionHelp, hint: hint
    ) { text throws(UsageError) in
      guard !text.isEmpty else {
        throw UsageError("--\(option.name) needs a value that is not empty")
      }
      do throws(FieldError) {
        return try type.value(of: text)
      } catch {
        throw UsageError("--\(option.name) \(error.message)")
      }
    }
  }

  private var optionHelp: String {
    switch type {
    case .list, .choices, .pairs: help + " May be repeated."
    default: help
    }
  }

  private var hint: ValueHint {
    switch type {
    case .choice(let choices), .choices(let choices): .choices(choices.map(\.name))
    case .bool: .choices(["on", "off"])
    default:
      if key == "credential" { .choices(CredentialsCommands.knownProviders) } else { .nothing }
    }
  }
}
