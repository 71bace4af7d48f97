#if Cloud
import AIServices
import SpeechActions
import SpeechCommand

/// The options of a stored type, one for each field of its table.
///
/// A command has them as a property: `var changes = FieldOptions<Connector>(removes: true)`.
struct FieldOptions<Owner: FieldTable>: ArgumentProperty {
  let declarations: [ArgumentDeclaration]
  let isGiven: Bool
  /// The path of the JSON schema to read; `nil` if no such option was given.
  let schemaPath: String?
  private let values: [String: [SendableValue]]
  private let removals: [String]

  /// - Parameters:
  ///   - keys: The fields with an option; all if `nil`.
  ///   - removes: True to add `--unset`, which removes values.
  init(only keys: [String]? = nil, removes: Bool = false) {
    let arguments = ParsedArguments.current
    var declarations: [OptionDeclaration] = []
    var values: [String: [SendableValue]] = [:]
    var schemaPath: String?
    for field in Owner.fields where keys?.contains(field.key) ?? true {
      guard let declaration = field.declaration else { continue }
      declarations.append(declaration)
      for value in arguments.values(of: declaration) {
        switch value {
        case let value as SendableValue: values[field.key, default: []].append(value)
        case let path as String: schemaPath = path
        default: values[field.key, default: []].append(.bool(true))
        }
      }
    }
    let unset = Self.unset
    removals = removes ? arguments.values(of: unset).compactMap { $0 as? String } : []
    isGiven = !values.isEmpty || schemaPath != nil || !removals.isEmpty
    self.declarations = (declarations + (removes ? [unset] : [])).map { .option($0) }
    self.values = values
    self.schemaPath = schemaPath
  }

  private static var unset: OptionDeclaration {
    var names: [String] = []
    for name in Owner.fields.compactMap(\.removalName) where !names.contains(name) {
      names.append(name)
    }
    let known = names
    let format = ValueFormat<String>("SETTING", .choices(known)) {
      text, option in
      guard known.contains(text) else {
        throw UsageError("\(option) takes \(known.joined(separator: ", ")), not “\(text)”")
      }
      return text
    }
    return OptionDeclaration(["--unset"], format, help: "Remove a setting. May be repeated.")
  }

  /// True if the option of a field was given.
  func has(_ key: String) -> Bool { values[key] != nil }

  /// Changes what the options name, with the content of the file at `schemaPath`.
  func apply(to owner: inout Owner, schema: SendableValue? = nil) throws(UsageError) {
    for field in Owner.fields {
      if let name = field.removalName, removals.contains(name) { field.remove(from: &owner) }
    }
    for (field, value) in impliedValues { try set(field, value, of: &owner) }
    for field in Owner.fields {
      guard let value = value(of: field, schema) else { continue }
      guard owner.applies(field) else { throw Self.inapplicable(field) }
      try set(field, Self.merged(value, field.value(of: owner)), of: &owner)
    }
    for field in owner.missingFields {
      guard let condition = field.condition, let option = field.option else { continue }
      throw UsageError(
        "\(Self.spelling(of: condition)) needs --\(option.name) \(option.placeholder).")
    }
  }

  /// The values that options imply: `--deployment` implies `--kind azure`.
  private var impliedValues: [(Field<Owner>, SendableValue)] {
    Owner.fields.compactMap { field in
      guard has(field.key) || field.takesFile && schemaPath != nil,
        let condition = field.condition, let value = condition.value,
        let deciding = Owner.field(condition.key), !has(deciding.key)
      else { return nil }
      return (deciding, .string(value))
    }
  }

  private func value(of field: Field<Owner>, _ schema: SendableValue?) -> SendableValue? {
    if field.takesFile { return schema }
    guard let values = values[field.key], let last = values.last else { return nil }
    switch field.type {
    case .list, .choices: return .array(values.flatMap { $0.arrayValue ?? [] })
    case .pairs: return values.dropLast().reversed().reduce(last) { Self.merged($0, $1) }
    default: return last
    }
  }

  /// Adds names with values to those that there are.
  private static func merged(_ value: SendableValue, _ present: SendableValue?) -> SendableValue {
    guard case .dictionary(let new) = value, case .dictionary(let old)? = present else {
      return value
    }
    return .dictionary(old.merging(new) { $1 })
  }

  private func set(
    _ field: Field<Owner>, _ value: SendableValue, of owner: inout Owner
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

  private static func spelling(of condition: FieldCondition) -> String {
    let name = Owner.field(condition.key)?.option?.name ?? condition.key
    return "--\(name)" + (condition.value.map { " \($0)" } ?? "")
  }
}

extension Field {
  /// True for a field whose option names a file with the value.
  fileprivate var takesFile: Bool { if case .json = type { true } else { false } }

  /// The option that sets the field; `nil` for a field without one.
  fileprivate var declaration: OptionDeclaration? {
    guard let option else { return nil }
    let names = ["--\(option.name)"] + (option.short.map { ["-\($0)"] } ?? [])
    if option.isFlag { return OptionDeclaration(names, help: help) }
    if takesFile {
      return OptionDeclaration(names, .text(option.placeholder, .input), help: help)
    }
    let format = ValueFormat<SendableValue>(option.placeholder, hint) {
      [type] text, spelling in
      guard !text.isEmpty else { throw UsageError("\(spelling) needs a value that is not empty") }
      do throws(FieldError) {
        return try type.value(of: text)
      } catch {
        throw UsageError("\(spelling) \(error.message)")
      }
    }
    return OptionDeclaration(names, format, help: optionHelp)
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
#endif
