import { exchange, type ExchangeFailed, makeConnections, type WholeResponse } from "@trunkline/http-client"
import type { Connection } from "@trunkline/telephony"
import { Data, Effect, Either, Exit, Scope } from "effect"
import type { ApiRequest, Dialect, OpenLine } from "../dialects/Dialect.js"
import type { Environment } from "../settings/ConnectionOptions.js"

/** The options of a line are invalid: one line for each problem, without values. */
export class InvalidOptions extends Data.TaggedError("InvalidOptions")<{ readonly problems: ReadonlyArray<string> }> {}

/** A request failed: no response, or a status of an error. */
export class RequestFailed extends Data.TaggedError("RequestFailed")<{
  /** Safe for logs: contains neither address nor content. */
  readonly reason: string
  /** Status of the response; null without one. */
  readonly status: number | null
}> {}

/** The API of a provider for one line. */
export interface ApiClient {
  readonly line: OpenLine
  /** Sends a request once. */
  readonly send: (request: ApiRequest, seconds: number) => Effect.Effect<WholeResponse, ExchangeFailed>
}

/** Most connections to a provider, their idle time in milliseconds, and the largest response in bytes. */
const limits = { connections: 64, idleMillis: 4_000, maxBytes: 1_048_576 }

const isTransient = ({ status }: WholeResponse): boolean => status === 429 || status >= 500

/** Delays between attempts of a request that may be repeated, in milliseconds. */
const retryDelays: ReadonlyArray<number> = [200, 800]

/** Sends a request that may be repeated, up to three times. */
const sendWithRetry = (client: ApiClient, request: ApiRequest): Effect.Effect<WholeResponse, RequestFailed> => {
  const attempt = client.send(request, client.line.settings.timeouts.request_seconds).pipe(
    Effect.mapError(({ reason }) => new RequestFailed({ reason, status: null })),
    Effect.filterOrFail(
      (response) => !isTransient(response),
      ({ status }) => new RequestFailed({ reason: `status ${status}`, status })
    )
  )
  return retryDelays.reduceRight(
    (later: Effect.Effect<WholeResponse, RequestFailed>, pause) =>
      Effect.catchAll(attempt, () => Effect.delay(later, pause)),
    attempt
  )
}

/** Sends requests until one is not answered with 404 or 410; null when all are. */
export const sendFirst = (
  client: ApiClient,
  requests: ReadonlyArray<ApiRequest>
): Effect.Effect<WholeResponse | null, RequestFailed> =>
  Effect.gen(function*() {
    for (const request of requests) {
      const response = yield* sendWithRetry(client, request)
      if (response.status < 300) return response
      if (response.status !== 404 && response.status !== 410) {
        return yield* new RequestFailed({ reason: `status ${response.status}`, status: response.status })
      }
    }
    return null
  })

interface OpenClient {
  readonly options: Connection["options"]
  readonly client: ApiClient
  readonly scope: Scope.CloseableScope
}

/** Makes the clients of a dialect's lines, on first use and again when the options change; they close with the scope. */
export const makeApiClients = (dialect: Dialect, environment: Environment) =>
  Effect.gen(function*() {
    const openClients = new Map<string, OpenClient>()
    const withLock = (yield* Effect.makeSemaphore(1)).withPermits(1)
    const close = ({ scope }: OpenClient) => Scope.close(scope, Exit.void)
    yield* Effect.addFinalizer(() => Effect.forEach(openClients.values(), close, { discard: true }))

    const open = (connection: Connection, line: OpenLine) =>
      Effect.gen(function*() {
        const before = openClients.get(connection.connection_id)
        if (before?.options === connection.options) return before.client
        const scope = yield* Scope.make()
        const { origin, pathname } = new URL(line.apiUrl)
        const { connect_seconds } = line.settings.timeouts
        const connectMillis = connect_seconds * 1000
        const { connections: most, idleMillis, maxBytes } = limits
        const connections = yield* Scope.extend(
          makeConnections({ origin, connections: most, connectMillis, idleMillis }),
          scope
        )
        const basePath = pathname.replace(/\/+$/, "")
        const client: ApiClient = {
          line,
          send: ({ body, headers, method, path }, seconds) =>
            exchange(connections, {
              method,
              path: `${basePath}${path}`,
              headers: { accept: "application/json", ...line.authorization, ...headers },
              body: body ?? null
            }, { connectMillis, totalMillis: seconds * 1000, maxBytes })
        }
        openClients.set(connection.connection_id, { options: connection.options, client, scope })
        if (before !== undefined) yield* close(before)
        return client
      })

    return {
      /** The client of a line. */
      of: (connection: Connection): Effect.Effect<ApiClient, InvalidOptions> =>
        Effect.suspend(() => {
          const client = openClients.get(connection.connection_id)
          if (client?.options === connection.options) return Effect.succeed(client.client)
          const line = dialect.lineOf(connection, environment)
          return Either.isRight(line)
            ? Effect.uninterruptible(
              withLock(open(connection, { ...line.right, provider: dialect.provider, connection }))
            )
            : new InvalidOptions({ problems: line.left })
        })
    }
  })
