import { ConnectionId } from "@trunkline/kernel"
import { Connection } from "@trunkline/telephony"
import { Effect } from "effect"
import { dialects } from "../dialects/Dialects.js"
import type { Environment } from "../settings/ConnectionOptions.js"
import { makeApiClients } from "./ApiClient.js"

/** Id of a call that no account has. */
const noCall = `CA${"0".repeat(32)}`

/** Reason why a provider does not take a line, by the status of its response; null where it does. */
const reasonOf = (status: number): string | null =>
  status === 401 || status === 403
    ? "the credentials were rejected"
    : status === 429
    ? "too many requests"
    : status >= 500
    ? `status ${status}`
    : null

/**
 * Asks the provider of a line once for a call that nobody has made, which tells if it can be reached and takes the credentials.
 * Null when it does, and otherwise the reason, without secrets. It makes no call and costs nothing.
 */
export const checkLine = (
  { options, provider }: Pick<Connection, "options" | "provider">,
  environment: Environment
): Effect.Effect<string | null> =>
  Effect.gen(function*() {
    const dialect = dialects.find((one) => one.provider === provider)
    if (dialect === undefined) return `there is no provider ${provider}`
    const connection_id = ConnectionId.make("line")
    const clients = yield* makeApiClients(dialect, environment)
    const { line, send } = yield* clients.of(new Connection({ connection_id, provider, phone_numbers: [], options }))
    const [request] = line.lookUp(noCall)
    if (request === undefined) return null
    const { status } = yield* send(request, line.settings.timeouts.request_seconds)
    return reasonOf(status)
  }).pipe(
    Effect.catchTags({
      ExchangeFailed: ({ reason }) => Effect.succeed(`the provider is unreachable: ${reason}`),
      InvalidOptions: ({ problems }) => Effect.succeed(problems.join("; "))
    }),
    Effect.scoped
  )
