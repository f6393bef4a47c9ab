import type { Registration } from "@trunkline/sip"
import { Effect, type Scope, Stream } from "effect"
import type { Endpoint } from "./Endpoint.js"
import { type LineNotes, makeLineState, registrationFailure } from "./LineStates.js"
import { credentialsOf, nextHopOf, type TrunkLine } from "./TrunkLine.js"

/** Time for the answer to OPTIONS: that of four transmissions over UDP (RFC 3261, section 17.1.2.2). */
const pingTimeout = "5 seconds"

/** A line with its registration; null for one that does not register. */
interface RegisteredLine {
  readonly registration: Registration | null
  readonly state: LineNotes
}

/**
 * Registers a line whose options ask for it, and keeps it registered until the scope closes. Changes are logged. It registers
 * again when its server leaves OPTIONS unanswered. A line that does not register has no registration.
 */
export const registerLine = (
  { agent }: Endpoint,
  line: TrunkLine
): Effect.Effect<RegisteredLine, never, Scope.Scope> =>
  Effect.gen(function*() {
    const { connection, settings } = line
    const { options: { register }, outboundProxy, registrar, values } = settings
    const credentials = credentialsOf(line)
    if (register === undefined || credentials === null) return { registration: null, state: makeLineState(null) }
    const address = `sip:${encodeURIComponent(credentials.username)}@${values.domain}`
    const registration = yield* agent.register({
      registrar: `sip:${values.domain}`,
      address,
      nextHop: outboundProxy ?? registrar,
      contactUser: credentials.username,
      credentials,
      expires: `${register.expires_seconds} seconds`,
      ...(register.keep_alive_seconds > 0 && { keepAlive: `${register.keep_alive_seconds} seconds` })
    })
    const lineState = makeLineState(registration)
    const annotate = Effect.annotateLogs({ connection_id: connection.connection_id })
    const log = Stream.runForEach(Stream.changesWith(registration.changes, (one, other) => one._tag === other._tag), (
      state
    ) =>
      state._tag === "Registered"
        ? Effect.logInfo("A SIP line is registered")
        : state._tag === "Failed"
        ? Effect.logWarning("A SIP line could not be registered", state.kind, state.status ?? "no response")
        : Effect.void)
    yield* Effect.forkScoped(annotate(log))
    yield* Effect.forkScoped(Stream.runForEach(registration.changes, (state) =>
      state._tag === "Registering"
        ? Effect.void
        : lineState.note(registrationFailure(state), state._tag === "Registered" || state.kind === "refused")))

    const ping = agent.options({ target: `sip:${values.domain}`, from: address, nextHop: nextHopOf(line), credentials })
    const renewal = Effect.all([
      Effect.logWarning("The server of a SIP line did not answer OPTIONS, so the line registers again"),
      lineState.note("the server did not answer OPTIONS"),
      registration.renew
    ], { discard: true })
    const pingOnce = ping.pipe(
      Effect.timeout(pingTimeout),
      Effect.matchEffect({
        onSuccess: () => lineState.note(null),
        onFailure: () => renewal
      })
    )
    if (register.ping_seconds > 0) {
      yield* Effect.forkScoped(annotate(Effect.forever(Effect.delay(pingOnce, `${register.ping_seconds} seconds`))))
    }
    return { registration, state: lineState }
  })
