import Foundation
import SpeechActions
import SpeechAudio
import SpeechConcurrency

/// A program that changes a configuration while other programs change it.
struct ConfigurationSharing {
  let store: FileConfigurationStore
  let name: String

  init(file: String, name: String) {
    store = FileConfigurationStore(file: URL(filePath: file))
    self.name = name
  }

  /// Prints “ready”, waits for a line, and makes random edits. For each it prints the expected
  /// final value, or that there was a conflict.
  func run(edits: Int) async throws {
    ServiceWorker.say("ready")
    _ = readLine()
    var random = SeededNumbers(seed: 11, part: name)
    var base = try await store.load()
    for number in 0..<edits {
      do {
        switch random.next(4) {
        case 0:
          let id = "\(name)-\(number)"
          base = try await store.update { $0.connectors.append(Connector(id: id, model: "new")) }
          ServiceWorker.say("connector \(id) new")
        case 1:
          let wanted = try await store.load().configuration.connectors.filter {
            $0.id.hasPrefix(name)
          }
          guard let old = wanted.isEmpty ? nil : wanted[random.next(wanted.count)] else { continue }
          let model = "changed-\(number)"
          base = try await store.update { configuration in
            for index in configuration.connectors.indices
            where configuration.connectors[index].id == old.id {
              configuration.connectors[index].model = model
            }
          }
          ServiceWorker.say("connector \(old.id) \(model)")
        case 2:
          // From a state that may be outdated.
          var mine = base.configuration
          try mine.actions.edit("translate") { $0.variables[name] = "\(number)" }
          base = try await store.save(mine, basedOn: base)
          ServiceWorker.say("variable \(name) \(number)")
        default:
          // A value that the other program changes as well.
          var mine = base.configuration
          try mine.actions.edit("tone") { $0.system = "\(name) \(number)" }
          base = try await store.save(mine, basedOn: base)
          ServiceWorker.say("system \(name) \(number)")
        }
      } catch ActionError.conflict {
        ServiceWorker.say("conflict")
        base = try await store.load()
      }
    }
    ServiceWorker.say("done")
  }

  /// Changes the configuration until it is killed. Prints “ready” after the first change.
  func runForever() async throws {
    for number in 0... {
      try await store.update { configuration in
        configuration.connectors = [
          Connector(
            id: "x", model: number.isMultiple(of: 2) ? "even" : "odd",
            instructions: String(
              repeating: number.isMultiple(of: 2) ? "even " : "odd ", count: 2_000))
        ]
      }
      if number == 0 { ServiceWorker.say("ready") }
    }
  }

  /// Changes the configuration once, and is killed at that step of the second change.
  func die(at step: String) async throws {
    let long = String(repeating: "x", count: 2_000)
    try await store.update { $0.connectors.append(Connector(id: "before", instructions: long)) }
    guard let point = DeathPoint(rawValue: step), point.arm() else { exit(2) }
    try await store.update { $0.connectors.append(Connector(id: "after", instructions: long)) }
  }
}
