import AIServices
import SpeechConcurrency

/// A single request to a connector.
struct Attempt: Sendable {
  enum Report: Sendable {
    case text(String)
    /// The answer without post-processing.
    case finished(ConnectorAnswer)
    case failed(ActionError, latency: Duration, cost: Double?)
    case cancelled(cost: Double?)
  }

  let action: TextAction
  let connector: Connector
  let request: ChatRequest
  let run: String
  let runner: ActionRunner

  private var clock: ServiceClock { runner.clock }

  /// Sends the request. Ends with exactly one report other than text; after the task is cancelled
  /// that is the only one.
  func perform(_ tell: @Sendable (Report) -> Void) async {
    let began = clock.now()
    var reservation: SpendingLedger.Reservation?
    var outcome = Report.cancelled(cost: nil)
    let isSent = OnceFlag()
    // The cost once it is known. Until then the request may have cost its maximum.
    var known: Double??
    var risk: Double? {
      known ?? (isSent.isUp ? connector.maximumCost(of: request) : 0)
    }
    do {
      let service = try await runner.service(for: connector)
      if let kept = kept() {
        tell(.text(kept.raw))
        let latency = clock.now() - began
        tell(
          .finished(
            ConnectorAnswer(
              connector: connector.id, raw: kept.raw, text: kept.raw, latency: latency,
              firstText: latency, usage: kept.usage, cost: price(0), isCached: true,
              isCutOff: false)))
        return
      }
      reservation = try await reserve()
      let answer = try await read(
        service.answer(to: request) { _ = isSent.raise() }, from: began, tell)
      known = answer.cost
      keep(answer)
      outcome = .finished(answer)
    } catch is CancellationError {
      outcome = .cancelled(cost: price(risk))
    } catch {
      let error = ActionError(running: error)
      if !error.mayHaveCost { known = 0 }
      outcome =
        Task.isCancelled
        ? .cancelled(cost: price(risk))
        : .failed(error, latency: clock.now() - began, cost: price(risk))
    }
    if let reservation {
      let isKnown = known != nil || !isSent.isUp
      await runner.spending.settle(reservation, cost: isKnown ? risk ?? 0 : nil)
    }
    tell(outcome)
  }

  private func price(_ cost: Double?) -> Double? { connector.price == nil ? nil : cost }

  private func read(
    _ events: AsyncThrowingStream<ChatEvent, any Error>, from began: Duration,
    _ tell: (Report) -> Void
  ) async throws -> ConnectorAnswer {
    var raw = ""
    var usage = ServiceUsage()
    var firstText: Duration?
    var finish = ChatFinish.complete
    for try await event in events {
      try Task.checkCancellation()
      switch event {
      case .text(let piece):
        if firstText == nil { firstText = clock.now() - began }
        raw += piece
        tell(.text(piece))
      case .usage(let told): usage = told
      case .finished(let mark): finish = mark
      case .toolCall: break
      }
    }
    try Task.checkCancellation()
    if case .refused(let reason) = finish, raw.isEmpty {
      throw ActionError.unexpectedAnswer("\(connector.name) refused to answer. \(reason)")
    }
    guard raw.contains(where: { !$0.isWhitespace }) else {
      throw ActionError.unexpectedAnswer(
        "\(connector.name) returned an empty answer. Allow more tokens, or try another model.")
    }
    return ConnectorAnswer(
      connector: connector.id, raw: raw, text: raw, latency: clock.now() - began,
      firstText: firstText, usage: usage,
      cost: price(connector.cost(of: usage) ?? connector.maximumCost(of: request)),
      isCached: false, isCutOff: finish == .length)
  }

  private func reserve() async throws -> SpendingLedger.Reservation? {
    guard let cap = action.routing.spendingCap else { return nil }
    guard let most = connector.maximumCost(of: request) else {
      throw ActionError.spendingCapReached(
        "“\(action.name)” has a spending cap, and \(connector.name) has no price. Set its price, "
          + "or remove the cap.")
    }
    guard most > 0 else { return nil }
    // Every retry may be charged.
    return try await runner.spending.reserve(
      most * Double(1 + max(0, action.routing.retries)), for: action, under: cap, run: run)
  }

  // MARK: Kept answers

  private var lifetime: Duration? {
    action.privacy.allowsCache ? action.routing.cacheLifetime : nil
  }

  private func kept() -> AnswerCache.Entry? {
    lifetime.flatMap { lifetime in
      runner.cache.entry(
        for: AnswerCache.Key(connector, request), notOlderThan: lifetime, at: clock.now())
    }
  }

  private func keep(_ answer: ConnectorAnswer) {
    guard lifetime != nil, !answer.isCutOff else { return }
    runner.cache.keep(
      AnswerCache.Entry(raw: answer.raw, usage: answer.usage, time: clock.now()),
      for: AnswerCache.Key(connector, request))
  }
}

extension ActionError {
  /// Creates the error for a failure of a run.
  init(running error: any Error) {
    switch error {
    case let error as ActionError: self = error
    case let error as AIServiceError: self = .service(error)
    case is CancellationError: self = .cancelled
    default: self = .service(.networkError(error.localizedDescription))
    }
  }

  /// True if the service may have processed the request, and may charge for it.
  var mayHaveCost: Bool {
    switch self {
    case .service(let error):
      switch error {
      case .missingCredentials, .invalidAPIKey, .authenticationFailed, .rateLimitExceeded,
        .invalidRequest, .connectionFailed, .configurationError:
        false
      case .timeout, .networkError, .providerError, .unexpectedResponseFormat,
        .dataConversionError:
        true
      }
    case .unexpectedAnswer: true
    default: false
    }
  }
}
