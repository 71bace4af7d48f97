import AIServices
import Foundation
import SpeechConcurrency
import SpeechFiles

/// A cache of answers, so that a repeated request to the same connector costs nothing.
///
/// Requests are equal if their address, model, key, header fields and messages are. The least
/// recently used answers are removed first, and expired ones always. All programs of the user share
/// a file that only the user can read. It contains the answers, and digests of the requests.
/// Answers of actions whose text stays on this machine are in memory only.
///
/// ```swift
/// let runner = ActionRunner(spending: .user, records: .user, cache: .user)
/// ```
public actor AnswerCache {
  /// The maximum size of a cache.
  public struct Limits: Sendable, Hashable {
    /// The maximum number of answers.
    public var entries: Int
    /// The maximum number of bytes of all answers.
    public var bytes: Int

    /// Creates limits for a cache.
    public init(entries: Int = 256, bytes: Int = 1 << 20) {
      self.entries = max(0, entries)
      self.bytes = max(0, bytes)
    }
  }

  private static let lockName = "answers.lock"
  /// The time limit for waiting for another program that holds the lock of the file.
  private static let timeout = Duration.milliseconds(500)

  /// The answers of the user, in `speechkit/answers.json` of `$XDG_CACHE_HOME`, which is `~/.cache`
  /// unless set. In memory only for a user without a home folder.
  public static let user = AnswerCache(
    file: BaseFolder.cache.path(ProcessInfo.processInfo.environment).map {
      URL(filePath: $0).appending(path: "speechkit/answers.json")
    })

  private let file: SharedFile?
  private let limits: Limits
  private var table = AnswerTable()
  private var isLoaded = false

  /// Creates a cache.
  ///
  /// - Parameter file: The file of the answers; in memory only if `nil`.
  public init(file: URL? = nil, limits: Limits = Limits()) {
    self.file = file.map { SharedFile($0, lockName: Self.lockName) }
    self.limits = limits
  }

  /// Returns the cached answers that have not expired, the latest first.
  public func answers(at date: Date = Date()) -> [CachedAnswer] {
    load()
    return table.answers(at: date)
  }

  /// Removes all cached answers, also from the file.
  ///
  /// - Throws: `ActionError.storage` if the file cannot be written.
  public func removeAll() async throws {
    table = AnswerTable()
    isLoaded = true
    _ = try await file?.change(within: Self.timeout) { data in
      data == nil ? ((), nil) : ((), try AnswerTable().encoded())
    }
  }

  func answer(for key: Key, notOlderThan lifetime: Duration, at date: Date) -> CachedAnswer? {
    load()
    return table.answer(for: key.digest, notOlderThan: lifetime, at: date)
  }

  /// Adds an answer. An answer that cannot be written is in memory only.
  func keep(_ answer: CachedAnswer, for key: Key, isPrivate: Bool) async {
    guard !key.digest.isEmpty else { return }
    load()
    table.keep(answer, for: key.digest, isPrivate: isPrivate, within: limits)
    guard let file, !isPrivate else { return }
    let (digest, limits) = (key.digest, limits)
    _ = try? await file.change(within: Self.timeout) { data in
      var shared = data.flatMap { AnswerTable($0) } ?? AnswerTable()
      shared.keep(answer, for: digest, isPrivate: false, within: limits)
      return ((), try shared.encoded())
    }
  }

  /// A file that cannot be read is replaced, because it holds nothing of lasting value.
  private func load() {
    guard let file, !isLoaded else { return }
    isLoaded = true
    guard let data = try? file.read() else { return }
    table = AnswerTable(data) ?? AnswerTable()
  }
}

extension AnswerCache {
  /// The identity of a request: everything that affects the answer.
  struct Key: Sendable, Hashable {
    private struct Identity: Encodable {
      var kind: String
      var address: String
      var credential: String?
      var headers: [String: String]
      var model: String
      var messages: [ChatMessage]
      var maxTokens: Int?
      var temperature: Double?
      var topP: Double?
      var stop: [String]
      var schema: SendableValue?
      var extra: [String: SendableValue]
    }

    /// A digest of the request; empty for a request that is not cached.
    let digest: String

    init(_ connector: Connector, _ request: ChatRequest) {
      let identity = Identity(
        kind: "\(connector.kind)", address: connector.resolvedBaseURL,
        credential: connector.keyName, headers: connector.headers,
        model: request.model ?? connector.model, messages: request.messages,
        maxTokens: request.maxTokens, temperature: request.temperature, topP: request.topP,
        stop: request.stop, schema: request.responseSchema, extra: request.extra)
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      // Requests with tools have effects, so their answers are not repeated.
      let data = request.tools.isEmpty ? try? encoder.encode(identity) : nil
      digest = data.map { Digest.sha256($0) } ?? ""
    }
  }
}
