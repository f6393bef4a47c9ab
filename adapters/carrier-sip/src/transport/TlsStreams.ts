import { isIP } from "node:net"
import { checkServerIdentity, connect, createServer, type PeerCertificate } from "node:tls"
import type { StreamKind, StreamPeer } from "./StreamConnections.js"

/** Certificates and names of the lines at one local address. PEM texts. */
export interface TlsIdentity {
  /** Certificates of authorities that are trusted; undefined for those that Node.js trusts. */
  readonly ca: string | undefined
  /** Own certificate with its chain, and its key: shown to callers and to servers that ask. Without it, none are taken. */
  readonly certificate:
    | { readonly cert: string; readonly key: string; readonly passphrase: string | undefined }
    | undefined
  /** True to take connections only of clients whose certificate an authority has signed. */
  readonly needsClientCertificate: boolean
  /** Names that certificates of servers may have beside those of their URIs. */
  readonly extraNames: ReadonlyArray<string>
  /** Names and addresses of the servers, for a peer of which only the address is known. */
  readonly serverNames: ReadonlyArray<string>
}

/** TLS 1.2 and later (RFC 8996). */
const minVersion = "TLSv1.2"

/** Fault of a certificate whose names are none of those that it may have; undefined where one fits (RFC 5922, section 7.2). */
const identityFault = (
  { extraNames, serverNames }: TlsIdentity,
  { host, serverName }: StreamPeer,
  certificate: PeerCertificate
): Error | undefined => {
  const names = serverName === undefined ? [...serverNames, host] : [serverName]
  const faults = [...names, ...extraNames].map((name) => checkServerIdentity(name, certificate))
  return faults.includes(undefined) ? undefined : faults[0]
}

const credentialsOf = ({ ca, certificate }: TlsIdentity) => ({
  minVersion,
  ...(ca !== undefined && { ca }),
  ...(certificate !== undefined && { cert: certificate.cert, key: certificate.key }),
  ...(certificate?.passphrase !== undefined && { passphrase: certificate.passphrase })
} as const)

/** Connections over TLS, whose servers prove who they are. */
export const tlsStreams = (identity: TlsIdentity): StreamKind => ({
  protocol: "tls",
  serve: ({ firstBytesMillis }) => {
    if (identity.certificate === undefined) return null
    const server = createServer({
      ...credentialsOf(identity),
      handshakeTimeout: firstBytesMillis,
      keepAlive: true,
      noDelay: true,
      requestCert: identity.needsClientCertificate,
      rejectUnauthorized: identity.needsClientCertificate
    })
    // Node.js leaves a connection open whose handshake failed or took too long.
    return server.on("tlsClientError", (_, socket) => void socket.destroy())
  },
  acceptEvent: "secureConnection",
  connect: (peer, local) => {
    const { host, port, serverName } = peer
    const name = serverName ?? identity.extraNames[0]
    const socket = connect({
      host,
      port,
      ...local,
      ...credentialsOf(identity),
      ...(name !== undefined && isIP(name) === 0 && { servername: name }),
      checkServerIdentity: (_, certificate) => identityFault(identity, peer, certificate)
    })
    return socket.setNoDelay(true).setKeepAlive(true)
  },
  connectEvent: "secureConnect"
})
