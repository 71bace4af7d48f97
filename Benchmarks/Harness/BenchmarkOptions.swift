import Foundation

/// The options on the command line.
struct BenchmarkOptions: Sendable {
  enum Mode: Sendable {
    case measure
    case list
    case help
  }

  private(set) var mode = Mode.measure
  private(set) var filter = ""
  private(set) var runs = 3
  private(set) var audioSeconds = 60.0
  private(set) var isJSON = false

  init(_ arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--filter": filter = try Self.value(of: argument, &rest)
      case "--runs": runs = Int(try Self.number(of: argument, in: 1...1000, &rest))
      case "--audio": audioSeconds = try Self.number(of: argument, in: 1...36_000, &rest)
      case "--json": isJSON = true
      case "--list": mode = .list
      case "--help", "-h": mode = .help
      default: throw UsageError("“\(argument)” is unknown; --help shows the options")
      }
    }
  }

  /// The benchmark of exactly that name, or else all that have it in their names.
  @MainActor func chosen(from benchmarks: [any Benchmark]) -> [any Benchmark] {
    guard !filter.isEmpty else { return benchmarks }
    let exact = benchmarks.filter { $0.name == filter }
    return exact.isEmpty ? benchmarks.filter { $0.name.contains(filter) } : exact
  }

  private static func value(
    of option: String, _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> String {
    guard let value = rest.popFirst() else { throw UsageError("\(option) takes a value") }
    return value
  }

  private static func number(
    of option: String, in range: ClosedRange<Double>, _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> Double {
    let text = try value(of: option, &rest)
    guard let number = Double(text), range.contains(number) else {
      throw UsageError(
        "\(option) takes a number from \(Int(range.lowerBound)) to \(Int(range.upperBound))")
    }
    return number
  }
}

/// The error of invalid arguments.
struct UsageError: LocalizedError {
  let errorDescription: String?

  init(_ description: String) { errorDescription = description }
}
