import AIServices
import SpeechConversation

/// Has a chat service answer: its text is spoken as it is written, and it may call functions of the program.
///
/// ```swift
/// let responder = ChatResponder(
///   OpenAIProvider.shared, systemPrompt: "You are a kitchen radio. Answer in a sentence or two.",
///   tools: [.init(name: "timer", description: "Sets a timer.") { arguments in "done" }])
/// ```
public struct ChatResponder: Responder {
  /// A function of the program that the model may call.
  public struct Tool: Sendable {
    /// What the model is told of it.
    public var declaration: ChatTool
    /// Does it; the arguments are JSON as the model wrote them, and so may the result be.
    public var run: @Sendable (_ arguments: String) async throws -> String

    /// A function.
    public init(
      _ declaration: ChatTool, run: @escaping @Sendable (_ arguments: String) async throws -> String
    ) {
      self.declaration = declaration
      self.run = run
    }
  }

  /// A system prompt that makes answers fit to be heard.
  public static let spokenAnswers =
    "You are talking with a person by voice. Answer in one to three short sentences of plain words, without "
    + "lists, headings, tables, links or other markup. Write numbers and units as they are spoken."

  private let service: any ChatService
  private let systemPrompt: String
  private let model: String?
  private let maximumHistory: Int
  private let tools: [Tool]
  private let maxTokens: Int?

  /// So often tools are called for one answer; a model that goes on for ever is told to stop.
  private static let maximumRounds = 6

  /// A responder that asks that service.
  ///
  /// - Parameters:
  ///   - systemPrompt: the rules for the model; none if empty.
  ///   - model: the model; `nil` for the service's default.
  ///   - maximumHistory: how many entries of the conversation are sent along.
  public init(
    _ service: any ChatService, systemPrompt: String = ChatResponder.spokenAnswers,
    model: String? = nil, maximumHistory: Int = 20, tools: [Tool] = [], maxTokens: Int? = nil
  ) {
    self.service = service
    self.systemPrompt = systemPrompt
    self.model = model
    self.maximumHistory = maximumHistory
    self.tools = tools
    self.maxTokens = maxTokens
  }

  /// What the model answers.
  public func reply(to turn: UserTurn, in history: ConversationHistory) -> ReplyStream {
    .pieces { pieces in
      var messages = messages(turn, history)
      var plain = PlainSpeech()
      for round in 1...Self.maximumRounds {
        var request = ChatRequest(messages: messages, model: model, maxTokens: maxTokens)
        // What a tool does cannot be thrown away, so a guess at what the user says does not get any.
        if !turn.isEarly, round < Self.maximumRounds { request.tools = tools.map(\.declaration) }
        let (text, calls) = try await ask(request) { text in
          let spoken = plain.add(text)
          if !spoken.isEmpty { pieces.yield(.text(spoken)) }
        }
        guard !calls.isEmpty, round < Self.maximumRounds else { return }
        messages.append(ChatMessage(role: .assistant, text: text, toolCalls: calls))
        for call in calls {
          messages.append(.tool(try await answer(call), answering: call.id))
        }
      }
    }
  }

  private func messages(_ turn: UserTurn, _ history: ConversationHistory) -> [ChatMessage] {
    var messages: [ChatMessage] = systemPrompt.isEmpty ? [] : [.system(systemPrompt)]
    for entry in history.suffix(maximumHistory).entries {
      switch entry.speaker {
      case .user: messages.append(.user(entry.text))
      // What was not heard was never said.
      case .reply where !entry.text.isEmpty: messages.append(.assistant(entry.text))
      case .reply: break
      }
    }
    return messages + [.user(turn.text)]
  }

  private func ask(
    _ request: ChatRequest, onText: (String) -> Void
  ) async throws -> (text: String, calls: [ChatToolCall]) {
    var text = ""
    var calls: [ChatToolCall] = []
    for try await event in service.chat(request) {
      switch event {
      case .text(let piece):
        text += piece
        onText(piece)
      case .toolCall(let call): calls.append(call)
      case .usage, .finished: break
      }
    }
    try Task.checkCancellation()
    return (text, calls)
  }

  /// What goes wrong in a tool is for the model to explain.
  private func answer(_ call: ChatToolCall) async throws -> String {
    guard let tool = tools.first(where: { $0.declaration.name == call.name }) else {
      return "There is no tool of that name."
    }
    do {
      return try await tool.run(call.arguments)
    } catch {
      try Task.checkCancellation()
      return "The tool failed: \(error.localizedDescription)"
    }
  }
}
