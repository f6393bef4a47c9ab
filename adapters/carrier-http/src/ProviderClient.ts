import {
  exchange,
  type ExchangeFailed,
  type HttpConnections,
  makeConnections,
  type WholeResponse
} from "@trunkline/http-client"
import { currentTraceHeaders } from "@trunkline/kernel"
import type { Connection } from "@trunkline/telephony"
import { Data, Effect, Either, Exit, Redacted, Scope } from "effect"
import { type ConnectionSettings, connectionSettings, type Environment } from "./ConnectionOptions.js"

/** The options of a connection are invalid. Each problem is one line without values. */
export class InvalidOptions extends Data.TaggedError("BadLine")<{ readonly problems: ReadonlyArray<string> }> {}

/** A request to a provider. */
export interface ProviderRequest {
  /** Path relative to the base URL, such as `/calls`. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** JSON body of a POST; absent for a GET. */
  readonly body?: Readonly<Record<string, unknown>>
  /** Timeout. */
  readonly seconds: number
}

/** HTTP client for the provider of one connection. */
export interface ProviderClient {
  readonly settings: ConnectionSettings
  /** Sends a request once, without retries. */
  readonly request: (request: ProviderRequest) => Effect.Effect<WholeResponse, ExchangeFailed>
}

/** Maximum HTTP connections per provider; a connected call holds one. */
const maxConnections = 4_096

/** Idle timeout of HTTP connections in milliseconds, unless the provider's keep-alive header sets one. */
const idleMillis = 4_000

/** Maximum response size; a page of a thousand calls takes a quarter of it. */
const maxBytes = 1024 * 1024

const makeClient = (settings: ConnectionSettings, connections: HttpConnections): ProviderClient => {
  const { apiKey, base_url, timeouts } = settings
  const basePath = new URL(base_url).pathname.replace(/\/+$/, "")
  return {
    settings,
    request: ({ body, headers, path, seconds }) =>
      Effect.flatMap(currentTraceHeaders, (traceHeaders) =>
        exchange(connections, {
          method: body === undefined ? "GET" : "POST",
          path: `${basePath}${path}`,
          headers: {
            ...headers,
            accept: "application/json",
            authorization: `Bearer ${Redacted.value(apiKey)}`,
            ...(body !== undefined && { "content-type": "application/json" }),
            ...traceHeaders
          },
          body: body === undefined ? null : JSON.stringify(body)
        }, { connectMillis: timeouts.connect_seconds * 1000, totalMillis: seconds * 1000, maxBytes }))
  }
}

interface OpenClient {
  readonly options: Connection["options"]
  readonly client: ProviderClient
  readonly scope: Scope.CloseableScope
}

/** Creates clients on first use and again when the options change; all of them close with the scope. */
export const makeProviderClients = (environment: Environment) =>
  Effect.gen(function*() {
    const openClients = new Map<string, OpenClient>()
    const withLock = (yield* Effect.makeSemaphore(1)).withPermits(1)
    const close = ({ scope }: OpenClient) => Scope.close(scope, Exit.void)
    yield* Effect.addFinalizer(() => Effect.forEach(openClients.values(), close, { discard: true }))

    const open = ({ connection_id, options }: Connection, settings: ConnectionSettings) =>
      Effect.gen(function*() {
        const before = openClients.get(connection_id)
        if (before?.options === options) return before.client
        const scope = yield* Scope.make()
        const connections = yield* Scope.extend(
          makeConnections({
            origin: new URL(settings.base_url).origin,
            connections: maxConnections,
            connectMillis: settings.timeouts.connect_seconds * 1000,
            idleMillis
          }),
          scope
        )
        const client = makeClient(settings, connections)
        openClients.set(connection_id, { options, client, scope })
        if (before !== undefined) yield* close(before)
        return client
      })

    return {
      /** The client of a connection. */
      of: (connection: Connection): Effect.Effect<ProviderClient, InvalidOptions> =>
        Effect.suspend(() => {
          const existing = openClients.get(connection.connection_id)
          if (existing?.options === connection.options) return Effect.succeed(existing.client)
          const settings = connectionSettings(connection, environment)
          return Either.isRight(settings)
            ? Effect.uninterruptible(withLock(open(connection, settings.right)))
            : Effect.fail(new InvalidOptions({ problems: settings.left }))
        })
    }
  })
