// Types of both appear in the public signatures of this module: secrets in keys and credentials,
// transports and timeouts in the environment and the configurations of services.
@_exported import ServiceCredentials
@_exported import ServiceTransport
