import Foundation
import TestSupport

/// Certificates for tests: an authority, and certificates of servers that it signed or that are
/// invalid in one way each. They are created with the program `openssl` in a temporary folder,
/// which is removed with this object.
package final class TestCertificates: Sendable {
  /// A kind of server certificate.
  package enum Kind: String, Sendable, CaseIterable {
    /// Signed by the authority, for `localhost` and 127.0.0.1.
    case valid
    /// Signed by the authority, for another host.
    case wrongHost = "wrong-host"
    /// Signed by itself only.
    case selfSigned = "self-signed"
    /// Signed by the authority, and expired since 2020.
    case expired
  }

  private let folder: URL

  /// The authority's certificate (PEM), for clients that should trust it.
  package var authorityFile: String { folder.appending(path: "authority.pem").path }

  /// Creates new certificates with `openssl`.
  package init() async throws {
    folder = FileManager.default.temporaryDirectory
      .appending(path: "test-certificates-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let program = try await FinishedProgram(
      running: "/bin/sh", ["-c", "cd \"$0\"\n" + Self.script, folder.path])
    guard program.status == 0 else {
      throw TestPeerError(
        description: "The program openssl made no certificates. Install the package openssl.")
    }
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  /// Returns the files of a server's certificate and its key.
  package func files(of kind: Kind) -> (certificate: String, key: String) {
    (
      folder.appending(path: "\(kind.rawValue).pem").path,
      folder.appending(path: "\(kind.rawValue).key").path
    )
  }

  private static let script = """
    set -e
    umask 077
    cat > ca.cnf <<'END'
    [ca]
    default_ca = test
    [test]
    database = index.txt
    new_certs_dir = .
    serial = serial
    certificate = authority.pem
    private_key = authority.key
    default_md = sha256
    policy = any
    copy_extensions = copy
    unique_subject = no
    [any]
    commonName = supplied
    END
    : > index.txt
    echo 01 > serial
    new_key="-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
    here=subjectAltName=DNS:localhost,IP:127.0.0.1
    openssl req -x509 -new $new_key -keyout authority.key -out authority.pem -days 2 \
      -subj "/CN=Test authority" -addext basicConstraints=critical,CA:TRUE
    openssl req -x509 -new $new_key -keyout self-signed.key -out self-signed.pem -days 2 \
      -subj /CN=localhost -addext $here
    signed() {
      name=$1 names=$2
      shift 2
      openssl req -new $new_key -keyout $name.key -out $name.csr -subj /CN=$name -addext $names
      openssl ca -batch -config ca.cnf -in $name.csr -out $name.pem -notext "$@"
    }
    signed valid $here -days 2
    signed wrong-host subjectAltName=DNS:elsewhere.test -days 2
    signed expired $here -startdate 20200101000000Z -enddate 20200102000000Z
    """
}

/// The failure of a program that tests need.
package struct TestPeerError: Error, CustomStringConvertible {
  /// A description of the failure and of what to do about it.
  package let description: String
}
