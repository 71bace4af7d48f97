// swift-format-ignore-file
// The text of the specification, as it is printed there; what it leaves open (“create request struct”, the
// response's type and the names of service and path) is filled in.
import AIServices
import Foundation

@available(macOS 15.0, iOS 17.0, *)
public final class NewProvider: BaseHTTPProvider, AIServiceProvider, @unchecked Sendable {

    // Constants
    public static let defaultBaseURL = "https://api.provider.com"
    private static let defaultModel = "model-name"

    // Identity
    public let id: String = "provider-id"
    public let displayName: String = "Provider Name"

    // Capabilities
    public let capabilities: [AICapability] = [.textGeneration]
    public let supportedDataStructures: [DataStructureCapability] = []
    public let requiresAPIKey: Bool = true
    public let responseType: ResponseContent.ContentType = .text

    private let credentialManager: AICredentialManager

    // Initialization
    public init(
        credentialManager: AICredentialManager = .shared,
        baseURL: String = defaultBaseURL
    ) {
        self.credentialManager = credentialManager
        super.init(baseURL: baseURL, timeout: 120.0)
    }

    // Configuration
    public func isConfigured() -> Bool {
        return true
    }

    public func validateConfiguration() throws {
        // Empty - validation happens in generate()
    }

    // Generation
    public func generate(
        prompt: String,
        parameters: [String: Any]
    ) async -> Result<ResponseContent, AIServiceError> {
        // 1. Get credentials
        let credential: SecureString
        do {
            credential = try await credentialManager.retrieve(providerID: id, type: .apiKey)
        } catch {
            return .failure(.missingCredentials("Failed to retrieve API key"))
        }

        // 2. Validate API key
        guard credential.value.hasPrefix("expected-prefix") else {
            return .failure(.invalidAPIKey("Invalid key format"))
        }

        // 3. Extract parameters
        let model = parameters["model"] as? String ?? Self.defaultModel

        // 4. Build request
        let request = Request(model: model, prompt: prompt)

        // 5. Make API call
        do {
            let response: Response = try await post(
                endpoint: "/path",
                headers: [
                    "Authorization": "Bearer \(credential.value)"
                ],
                body: request
            )

            // 6. Extract and return content
            return .success(.text(response.content))

        } catch let error as AIServiceError {
            return .failure(error)
        } catch {
            return .failure(.networkError("API request failed"))
        }
    }

    // Factory method
    public static func shared() -> NewProvider {
        return NewProvider(credentialManager: .shared)
    }
}

extension NewProvider {
    struct Request: Encodable {
        let model: String
        let prompt: String
        // ... other fields
    }

    struct Response: Decodable {
        let content: String
        // ... other fields
    }
}
