import type { Entropy } from "@trunkline/kernel"
import { type IncomingCall, makeUserAgent, SipTransport, type UserAgent } from "@trunkline/sip"
import { Effect, type Scope } from "effect"
import { plainAddress } from "../transport/LocalAddresses.js"
import { openSipSockets, type SipSockets, type SipSocketsOptions } from "../transport/SipSockets.js"
import type { TlsIdentity } from "../transport/TlsStreams.js"
import type { SocketUnavailable } from "../transport/UdpSocket.js"
import { makeAdmissionControl } from "./Admission.js"
import { nextHopOf, type TrunkLine } from "./TrunkLine.js"

/** Sockets at one local address, and the user agent of all lines that use it. */
export interface Endpoint {
  readonly lines: ReadonlyArray<TrunkLine>
  readonly sockets: SipSockets
  readonly agent: UserAgent
}

/** Handles a call that was admitted, given the lines that it may be for. */
type Incoming = (call: IncomingCall, lines: ReadonlyArray<TrunkLine>) => Effect.Effect<void>

/** Lines by the local address that they use. */
export const linesByAddress = (lines: ReadonlyArray<TrunkLine>): ReadonlyArray<ReadonlyArray<TrunkLine>> => {
  const groups = new Map<string, Array<TrunkLine>>()
  for (const line of lines) {
    const { address, port } = line.settings.options.local
    const key = port === 0 ? line.connection.connection_id : `${address} ${port}`
    groups.set(key, [...groups.get(key) ?? [], line])
  }
  return [...groups.values()]
}

/** Certificates and names of the lines at one address; undefined where none uses TLS. */
const identityOf = (lines: ReadonlyArray<TrunkLine>): TlsIdentity | undefined => {
  const secure = lines.filter(({ settings }) => settings.tls !== null)
  const first = secure.find(({ settings }) => settings.options.tls !== undefined) ?? secure[0]
  if (first === undefined) return undefined
  return {
    ca: first.settings.tls?.ca,
    certificate: first.settings.tls?.certificate,
    needsClientCertificate: first.settings.options.tls?.require_client_certificate === true,
    extraNames: secure.flatMap(({ settings }) => settings.options.tls?.server_name ?? []),
    serverNames: secure.flatMap(({ settings: { outboundProxy, registrar, server } }) =>
      [server, registrar, outboundProxy].flatMap((target) => target?.protocol === "tls" ? [target.host] : [])
    )
  }
}

/** Text by which lines at one address must agree: they share its sockets. */
export const tlsKey = ({ settings: { options: { local, tls } } }: TrunkLine): string | null =>
  tls === undefined ? null : JSON.stringify({ ...tls, server_name: null, port: local.tls_port ?? null })

/** Addresses of the servers of some lines, as far as their names are resolved by now. */
const serverAddresses = (lines: ReadonlyArray<TrunkLine>, sockets: SipSockets) =>
  Effect.gen(function*() {
    const hosts = new Set<string>()
    const resolve = (line: TrunkLine) =>
      Effect.map(sockets.resolve(nextHopOf(line)), (addresses) => addresses.forEach(({ host }) => hosts.add(host)))
    yield* Effect.forkScoped(Effect.forEach(lines, (line) => Effect.ignore(resolve(line)), { discard: true }))
    return hosts
  })

/** Opens the local address of some lines, until the scope closes; then their calls are hung up. */
export const openEndpoint = (
  lines: ReadonlyArray<TrunkLine>,
  { incoming, ...sockets }: Omit<SipSocketsOptions, "tls"> & { readonly incoming: Incoming }
): Effect.Effect<Endpoint, SocketUnavailable, Entropy | Scope.Scope> =>
  Effect.gen(function*() {
    const clock = yield* Effect.clock
    const identity = identityOf(lines)
    const tlsPort = lines.find(({ settings }) => settings.options.local.tls_port !== undefined)
      ?.settings.options.local.tls_port
    const transport = yield* openSipSockets({
      ...sockets,
      tls: identity && { identity, ...(tlsPort !== undefined && { port: tlsPort }) }
    })
    const admission = makeAdmissionControl(lines, () => clock.unsafeCurrentTimeMillis())
    const servers = yield* serverAddresses(lines, transport)
    const agent = yield* makeUserAgent({
      admit: admission.admit,
      admitLateAnswer: ({ host }) => servers.has(plainAddress(host)),
      incoming: (call) => Effect.suspend(() => incoming(call, admission.linesOf(call.request, call.source))),
      session: { expires: `${Math.min(...lines.map(({ settings }) => settings.options.session_seconds))} seconds` }
    }).pipe(Effect.provideService(SipTransport, transport))
    return { lines, sockets: transport, agent }
  })
