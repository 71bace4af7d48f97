import Foundation

extension OpenAIProvider: TranscriptionService {
  /// Transcribes a recording and streams the text.
  public func transcribe(
    _ request: TranscriptionRequest
  ) -> AsyncThrowingStream<TranscriptionEvent, any Error> {
    let model = request.model ?? configuration.transcriptionModel
    return StreamedReply.events(
      of: client, assembler: OpenAITranscriptionAssembler(client: client, model: model)
    ) { [self] in
      try call(for: request, model: model)
    }
  }

  private func call(for request: TranscriptionRequest, model: String) throws -> ServiceCall {
    // Other servers than OpenAI's are assumed to support every option.
    let isOpenAI = configuration.isOpenAI
    let knowsWordTimes = !isOpenAI || model == "whisper-1"
    let streams = !isOpenAI || model != "whisper-1"
    guard request.audio.count <= 25 << 20 || !isOpenAI else {
      throw AIServiceError.invalidRequest(
        "\(displayName) accepts recordings of up to 25 MB, but this one has "
          + "\(request.audio.count >> 20). Shorten it, or send it as FLAC.")
    }
    var form = MultipartForm()
    form.append(
      "file", file: request.audio, named: request.fileName, contentType: "application/octet-stream")
    form.append("model", model)
    if let language = request.language { form.append("language", language) }
    if let prompt = request.prompt { form.append("prompt", prompt) }
    if let temperature = request.temperature { form.append("temperature", "\(temperature)") }
    if request.wantsWords, knowsWordTimes {
      form.append("response_format", "verbose_json")
      form.append("timestamp_granularities[]", "word")
    } else {
      form.append("response_format", "json")
    }
    if request.streams, streams { form.append("stream", "true") }
    let (contentType, body) = form.encoded()
    var call = ServiceCall(
      .post, configuration.transcriptionPath,
      headers: ["Content-Type": contentType, "Accept": "application/json, text/event-stream"],
      body: body)
    call.model = model
    return call
  }
}
