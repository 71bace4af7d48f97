import CCurl

extension HTTPFailure {
  /// Translates an error of libcurl.
  init(_ code: CURLcode, text: String, host: String, isConnected: Bool, hasHead: Bool) {
    self =
      switch code {
      case CURLE_COULDNT_RESOLVE_HOST: .unknownHost(host)
      case CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED:
        .unreachable(text)
      case CURLE_OPERATION_TIMEDOUT: .timedOut(isConnected ? .total : .connect)
      case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
        CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CERTPROBLEM,
        CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED, CURLE_SSL_CLIENTCERT, CURLE_SSL_ENGINE_INITFAILED,
        CURLE_SSL_CRL_BADFILE:
        .untrusted(text)
      case CURLE_SSL_CONNECT_ERROR:
        // One code for a failed verification and for a connection that broke during the handshake.
        Self.isBrokenConnection(text)
          ? .interrupted(text, beforeResponse: true) : .untrusted(text)
      case CURLE_PARTIAL_FILE: .truncated
      case CURLE_URL_MALFORMAT, CURLE_LOGIN_DENIED: .invalidRequest(text)
      case CURLE_OUT_OF_MEMORY where !hasHead:
        // libcurl's error for a header line that exceeds its limit.
        .malformed("The header of the response is too long.")
      case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
        .malformed(text)
      case CURLE_RECV_ERROR where text.hasSuffix("in chunked-encoding"): .malformed(text)
      default: .interrupted(text, beforeResponse: !hasHead)
      }
  }

  private static func isBrokenConnection(_ text: String) -> Bool {
    ["SSL_ERROR_SYSCALL", "Connection reset", "Broken pipe", "unexpected eof"]
      .contains { text.contains($0) }
  }
}
