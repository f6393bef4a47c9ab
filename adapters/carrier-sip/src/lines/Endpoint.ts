import type { Entropy } from "@trunkline/kernel"
import { type IncomingCall, makeUserAgent, SipTransport, type UserAgent } from "@trunkline/sip"
import { Effect, type Scope } from "effect"
import { openSipSockets, type SipSockets, type SipSocketsOptions } from "../transport/SipSockets.js"
import type { SocketUnavailable } from "../transport/UdpSocket.js"
import { makeAdmissionControl } from "./Admission.js"
import type { TrunkLine } from "./TrunkLine.js"

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

/** Opens the local address of some lines, until the scope closes; then their calls are hung up. */
export const openEndpoint = (
  lines: ReadonlyArray<TrunkLine>,
  { incoming, ...sockets }: SipSocketsOptions & { readonly incoming: Incoming }
): Effect.Effect<Endpoint, SocketUnavailable, Entropy | Scope.Scope> =>
  Effect.gen(function*() {
    const clock = yield* Effect.clock
    const transport = yield* openSipSockets(sockets)
    const admission = makeAdmissionControl(lines, () => clock.unsafeCurrentTimeMillis())
    const agent = yield* makeUserAgent({
      admit: admission.admit,
      incoming: (call) => Effect.suspend(() => incoming(call, admission.linesOf(call.request, call.source))),
      session: { expires: `${Math.min(...lines.map(({ settings }) => settings.options.session_seconds))} seconds` }
    }).pipe(Effect.provideService(SipTransport, transport))
    return { lines, sockets: transport, agent }
  })
