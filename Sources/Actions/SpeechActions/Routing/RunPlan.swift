import AIServices
import SpeechText

/// The connectors that a run can ask, with their requests.
struct RunPlan: Sendable {
  struct Candidate: Sendable {
    var connector: Connector
    var request: ChatRequest
  }

  var candidates: [Candidate] = []
  /// The connectors of the rule that cannot be asked.
  var excluded: [(connector: String, error: ActionError)] = []

  /// - Throws: `ActionError` if no connector can be asked, or a template cannot be rendered.
  init(
    _ action: TextAction, _ input: ActionInput, _ connectors: [Connector],
    isLocal: (Connector) async throws -> Bool
  ) async throws {
    let values = TemplateValues(input, variables: action.variables)
    let templates = try ActionTemplates(action)
    let prompt = try templates.prompt.rendered(with: values)
    let rules = try templates.system.rendered(with: values)
    let rule = action.routing
    var chosen: [Connector] = []
    if rule.connectors.isEmpty {
      chosen = connectors.filter(\.isActive)
    } else {
      for id in rule.connectors {
        guard let connector = connectors.first(where: { $0.id == id }) else {
          excluded.append(
            (
              id,
              .notFound(
                "There is no connector “\(id)”."
                  + NearestName.advice(on: id, among: connectors.map(\.id)))
            ))
          continue
        }
        if connector.isActive {
          chosen.append(connector)
        } else {
          excluded.append((id, .noConnector("The connector “\(id)” is disabled.")))
        }
      }
    }
    for connector in chosen {
      do {
        if action.privacy.isPrivate, try await !isLocal(connector) {
          excluded.append((connector.id, Self.elsewhere(action, connector)))
          continue
        }
      } catch {
        excluded.append((connector.id, ActionError(running: error)))
        continue
      }
      candidates.append(
        Candidate(
          connector: connector,
          request: connector.request(prompt: prompt, rules: rules, for: action)))
    }
    guard candidates.isEmpty else { return }
    // The first reason is reported, because a run without candidates has no other outcome.
    if let first = excluded.first { throw first.error }
    throw ActionError.noConnector(
      "There is no active connector. Add one with `speechkit connectors add`, or enable one.")
  }

  private static func elsewhere(_ action: TextAction, _ connector: Connector) -> ActionError {
    .notPrivate(
      "“\(action.name)” never lets its text leave this machine, and \(connector.name) is on "
        + "another one (\(ServiceEndpoint(baseURL: connector.resolvedBaseURL).host)). Choose a "
        + "connector on this machine."
    )
  }
}
