import Foundation
import SpeechCore

/// The `mdef` of models that were trained and never converted: lines of text.
enum ModelDefinitionText {
  static func read(_ url: URL) throws(SpeechRecognitionError) -> ModelDefinition {
    func broken(_ reason: String) -> SpeechRecognitionError {
      ModelFileReader.broken(url, reason)
    }
    guard let data = try? Data(contentsOf: url), let text = String(data: data, encoding: .utf8)
    else { throw broken("it is not text") }
    guard text.hasSuffix("\n") else { throw broken("it ends too early") }
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
    guard lines.first?.hasPrefix("0.3") == true else {
      throw broken("it does not begin like an mdef")
    }
    var sizes: [String: Int] = [:]
    var rows = lines.dropFirst()
    while let line = rows.first {
      let fields = line.split(whereSeparator: \.isWhitespace)
      guard fields.count == 2, fields[1].hasPrefix("n_"), let value = Int(fields[0]) else { break }
      sizes[String(fields[1])] = value
      rows = rows.dropFirst()
    }
    guard let base = sizes["n_base"], let triphones = sizes["n_tri"],
      let entries = sizes["n_state_map"], let senones = sizes["n_tied_state"],
      let matrices = sizes["n_tied_tmat"], (1...255).contains(base),
      (0...10_000_000).contains(triphones), (1...65_535).contains(senones),
      (1...1_000_000).contains(matrices), entries % (base + triphones) == 0,
      (2...17).contains(entries / (base + triphones))
    else { throw broken("its sizes are out of range") }
    guard rows.count == base + triphones else {
      throw broken("it has \(rows.count) phones instead of \(base + triphones)")
    }
    // base left right position attribute matrix, the states' senones, N
    let states = entries / (base + triphones) - 1
    var phones: [String] = []
    for (index, row) in rows.enumerated() {
      let fields = row.split(whereSeparator: \.isWhitespace)
      guard fields.count == 7 + states, fields.last == "N", let matrix = Int(fields[5]),
        (0..<matrices).contains(matrix),
        fields[6..<6 + states].allSatisfy({ Int($0).map { (0..<senones).contains($0) } ?? false })
      else { throw broken("line \(index + 1) of its phones is malformed") }
      if index < base {
        guard fields[1] == "-", fields[2] == "-" else { throw broken("its phones are mixed up") }
        phones.append(String(fields[0]))
      }
    }
    return ModelDefinition(phones: phones, states: states, senones: senones, matrices: matrices)
  }
}
