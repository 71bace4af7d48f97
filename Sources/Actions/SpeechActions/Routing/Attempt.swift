import AIServices
import SpeechConcurrency

/// Asks one connector once.
struct Attempt: Sendable {
  /// What can be told of an attempt.
  enum Report: Sendable {
    case text(String)
    case finished(Answer)
    case failed(ActionError, latency: Duration, cost: Double?)
    case calledOff(cost: Double?)
  }

  struct Answer: Sendable {
    var raw: String
    var usage: ServiceUsage
    var latency: Duration
    var firstText: Duration?
    var cost: Double?
    var isCached: Bool
    var isCutOff: Bool
  }

  let action: TextAction
  let connector: Connector
  let request: ChatRequest
  let run: String
  let runner: ActionRunner
  let clock: ServiceClock

  /// Asks. Ends with exactly one report other than of text, and none after the task was cancelled but that.
  func perform(_ tell: @Sendable (Report) -> Void) async {
    let began = clock.now()
    var reservation: SpendingLedger.Reservation?
    var outcome = Report.calledOff(cost: nil)
    let isSent = OnceFlag()
    // What it did cost, once that is known; until then it may have cost what it can at most.
    var known: Double??
    var risk: Double? {
      known ?? (isSent.isUp ? connector.mostCost(of: request) : 0)
    }
    do {
      let service = try await runner.service(for: connector)
      if let kept = kept() {
        tell(.text(kept.raw))
        tell(
          .finished(
            Answer(
              raw: kept.raw, usage: kept.usage, latency: clock.now() - began,
              firstText: clock.now() - began, cost: connector.price == nil ? nil : 0,
              isCached: true, isCutOff: false)))
        return
      }
      reservation = try await reserve()
      let answer = try await read(
        service.answer(to: request) { _ = isSent.raise() }, from: began, tell)
      known = answer.cost
      keep(answer)
      outcome = .finished(answer)
    } catch is CancellationError {
      outcome = .calledOff(cost: price(risk))
    } catch {
      let error = ActionError(running: error)
      if !error.mayHaveCost { known = 0 }
      outcome =
        Task.isCancelled
        ? .calledOff(cost: price(risk))
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
  ) async throws -> Answer {
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
        "\(connector.name) answered with nothing. Allow more tokens, or try another model.")
    }
    return Answer(
      raw: raw, usage: usage, latency: clock.now() - began, firstText: firstText,
      cost: price(connector.cost(of: usage) ?? connector.mostCost(of: request)), isCached: false,
      isCutOff: finish == .length)
  }

  private func reserve() async throws -> SpendingLedger.Reservation? {
    guard let cap = action.routing.spendingCap else { return nil }
    guard let most = connector.mostCost(of: request) else {
      throw ActionError.spendingCapReached(
        "“\(action.name)” has a spending cap, and \(connector.name) has no price. Set its price, or take "
          + "the cap away.")
    }
    guard most > 0 else { return nil }
    // One that is sent again may be charged for each time.
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

  private func keep(_ answer: Answer) {
    guard lifetime != nil, !answer.isCutOff else { return }
    runner.cache.keep(
      AnswerCache.Entry(raw: answer.raw, usage: answer.usage, time: clock.now()),
      for: AnswerCache.Key(connector, request))
  }
}

extension ActionError {
  /// What went wrong while an action was run.
  init(running error: any Error) {
    switch error {
    case let error as ActionError: self = error
    case let error as AIServiceError: self = .service(error)
    case is CancellationError: self = .cancelled
    default: self = .service(.networkError(error.localizedDescription))
    }
  }

  /// Whether the service may have worked on the request, and charge for it.
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
