import { Effect, type Scope, Stream } from "effect"
import type { Endpoint } from "./Endpoint.js"
import { credentialsOf, type TrunkLine } from "./TrunkLine.js"

/** Registers a line whose options ask for it, and keeps it registered until the scope closes. Changes are logged. */
export const registerLine = (
  { agent }: Endpoint,
  line: TrunkLine
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function*() {
    const { connection, settings } = line
    const { options: { register }, outboundProxy, registrar, values } = settings
    const credentials = credentialsOf(line)
    if (register === undefined || credentials === null) return
    const registration = yield* agent.register({
      registrar: `sip:${values.domain}`,
      address: `sip:${encodeURIComponent(credentials.username)}@${values.domain}`,
      nextHop: outboundProxy ?? registrar,
      contactUser: credentials.username,
      credentials,
      expires: `${register.expires_seconds} seconds`,
      ...(register.keep_alive_seconds > 0 && { keepAlive: `${register.keep_alive_seconds} seconds` })
    })
    const annotate = Effect.annotateLogs({ connection_id: connection.connection_id })
    const log = Stream.runForEach(Stream.changesWith(registration.changes, (one, other) => one._tag === other._tag), (
      state
    ) =>
      state._tag === "Registered"
        ? Effect.logInfo("A SIP line is registered")
        : state._tag === "Failed"
        ? Effect.logWarning("A SIP line could not be registered", state.why, state.status ?? "no response")
        : Effect.void)
    yield* Effect.forkScoped(annotate(log))
  })
