import AIServices
import Foundation
import SpeechConcurrency

/// A single request to a connector.
struct Attempt: Sendable {
  enum Report: Sendable {
    case text(String)
    /// The answer without post-processing.
    case finished(ConnectorAnswer)
    case failed(ActionError, latency: Duration, cost: RunCost?)
    case cancelled(cost: RunCost?)
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
    var received = ""
    // The sum for the ledger. While it is not known, the request may have cost its maximum.
    var charge: Double?
    do {
      let service = try await runner.service(for: connector)
      if let kept = await kept() {
        tell(.text(kept.text))
        let latency = clock.now() - began
        tell(
          .finished(
            ConnectorAnswer(
              connector: connector.id, raw: kept.text, text: kept.text, latency: latency,
              firstText: latency, usage: kept.usage, cost: connector.price.map { _ in 0 },
              isCostEstimated: false, isCached: true, isCutOff: false)))
        return
      }
      reservation = try await reserve()
      let answer = try await read(
        service.answer(to: request) { _ = isSent.raise() }, from: began, into: &received, tell)
      charge = connector.cost(of: answer.usage) ?? connector.maximumCost(of: request) ?? 0
      await keep(answer)
      outcome = .finished(answer)
    } catch is CancellationError {
      outcome = .cancelled(cost: isSent.isUp ? estimate(received) : free)
    } catch {
      let error = ActionError(running: error)
      if !error.mayHaveCost { charge = 0 }
      let cost = isSent.isUp && charge == nil ? estimate(received) : free
      outcome =
        Task.isCancelled
        ? .cancelled(cost: cost)
        : .failed(error, latency: clock.now() - began, cost: cost)
    }
    if let reservation {
      await runner.spending.settle(reservation, cost: isSent.isUp ? charge : 0)
    }
    tell(outcome)
  }

  /// No cost; `nil` for a connector without a price.
  private var free: RunCost? { connector.price.map { _ in .none } }

  private func estimate(_ answer: String) -> RunCost? {
    connector.estimatedCost(of: request, answer: answer).map {
      RunCost(amount: $0, isEstimated: true)
    }
  }

  private func read(
    _ events: AsyncThrowingStream<ChatEvent, any Error>, from began: Duration,
    into raw: inout String, _ tell: (Report) -> Void
  ) async throws -> ConnectorAnswer {
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
    let exact = connector.cost(of: usage)
    return ConnectorAnswer(
      connector: connector.id, raw: raw, text: raw, latency: clock.now() - began,
      firstText: firstText, usage: usage, cost: exact ?? estimate(raw)?.amount,
      isCostEstimated: exact == nil && connector.price != nil, isCached: false,
      isCutOff: finish == .length)
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

  private func kept() async -> CachedAnswer? {
    guard let lifetime else { return nil }
    return await runner.cache.answer(
      for: AnswerCache.Key(connector, request), notOlderThan: lifetime, at: clock.date())
  }

  private func keep(_ answer: ConnectorAnswer) async {
    guard let lifetime, !answer.isCutOff else { return }
    let date = clock.date()
    await runner.cache.keep(
      CachedAnswer(
        connector: connector.id, text: answer.raw, usage: answer.usage, date: date,
        expiry: date + lifetime / .seconds(1)),
      for: AnswerCache.Key(connector, request), isPrivate: action.privacy.isPrivate)
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
