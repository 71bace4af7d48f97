extension OpenAIConfiguration {
  /// The configuration of a typical local server with an OpenAI-compatible API: no key, the older
  /// token limit, and its own models.
  public static func compatible(
    id: String, displayName: String, baseURL: String, model: String = "", requiresKey: Bool = false
  ) -> OpenAIConfiguration {
    var server = OpenAIConfiguration(
      id: id, displayName: displayName, baseURL: baseURL, requiresKey: requiresKey)
    server.chatModel = model
    return server
  }

  /// The configuration of Ollama. The first answer may be slow while the model is loaded.
  public static func ollama(
    model: String, baseURL: String = "http://localhost:11434/v1"
  ) -> OpenAIConfiguration {
    var server = compatible(id: "ollama", displayName: "Ollama", baseURL: baseURL, model: model)
    server.asksForUsage = true
    server.embeddingModel = model
    server.endpoint.timeouts.firstByte = .seconds(120)
    server.endpoint.timeouts.total = .seconds(600)
    return server
  }

  /// The configuration of llama.cpp's server. While it loads its model it answers 503, which is
  /// retried.
  public static func llamaCpp(
    model: String = "default", baseURL: String = "http://127.0.0.1:8080/v1"
  ) -> OpenAIConfiguration {
    var server = compatible(
      id: "llamacpp", displayName: "llama.cpp", baseURL: baseURL, model: model)
    server.asksForUsage = true
    return server
  }

  /// The configuration of whisper.cpp's server, which only transcribes.
  public static func whisperCpp(
    baseURL: String = "http://127.0.0.1:8080"
  ) -> OpenAIConfiguration {
    var server = compatible(id: "whispercpp", displayName: "whisper.cpp", baseURL: baseURL)
    server.transcriptionPath = "inference"
    server.transcriptionModel = "whisper-1"
    return server
  }

  /// The configuration of LocalAI. It often answers with WAV whatever was requested, so the actual
  /// format counts.
  public static func localAI(
    model: String, baseURL: String = "http://localhost:8080/v1"
  ) -> OpenAIConfiguration {
    compatible(id: "localai", displayName: "LocalAI", baseURL: baseURL, model: model)
  }

  /// The configuration of a vLLM server.
  public static func vLLM(
    model: String, baseURL: String = "http://localhost:8000/v1"
  ) -> OpenAIConfiguration {
    var server = compatible(id: "vllm", displayName: "vLLM", baseURL: baseURL, model: model)
    server.asksForUsage = true
    return server
  }

  /// The configuration of Speaches, which transcribes and speaks. Audio is requested at 24 kHz,
  /// because the rate otherwise depends on the model.
  public static func speaches(
    transcriptionModel: String, speechModel: String = "", voice: String = "",
    baseURL: String = "http://localhost:8000/v1"
  ) -> OpenAIConfiguration {
    var server = compatible(id: "speaches", displayName: "Speaches", baseURL: baseURL)
    server.transcriptionModel = transcriptionModel
    server.liveTranscriptionModel = transcriptionModel
    server.speechModel = speechModel
    server.voice = voice
    server.sendsSampleRate = true
    return server
  }

  /// The configuration of Kokoro-FastAPI, which only speaks.
  public static func kokoro(
    voice: String = "af_bella", baseURL: String = "http://localhost:8880/v1"
  ) -> OpenAIConfiguration {
    var server = compatible(id: "kokoro", displayName: "Kokoro", baseURL: baseURL)
    server.speechModel = "kokoro"
    server.voice = voice
    server.listsVoices = true
    return server
  }

  /// The configuration of Azure OpenAI, with a deployment in the address and a version of the API.
  public static func azure(
    resource: String, deployment: String, apiVersion: String = "2024-10-21"
  ) -> OpenAIConfiguration {
    azure(
      baseURL: "https://\(resource).openai.azure.com/openai/deployments/"
        + ServiceEndpoint.segment(deployment), deployment: deployment, apiVersion: apiVersion)
  }

  /// The configuration of Azure OpenAI at any address, with the version of the API if the address
  /// requires one.
  public static func azure(
    baseURL: String, deployment: String, apiVersion: String? = nil
  ) -> OpenAIConfiguration {
    var server = compatible(
      id: "azure", displayName: "Azure OpenAI", baseURL: baseURL, model: deployment,
      requiresKey: true)
    server.endpoint.authentication = .header("api-key")
    server.endpoint.query["api-version"] = apiVersion
    server.usesMaxCompletionTokens = true
    server.asksForUsage = true
    server.embeddingModel = deployment
    server.speechModel = deployment
    server.transcriptionModel = deployment
    server.liveTranscriptionModel = deployment
    return server
  }
}
