import { type Connections, makeConnections } from "@trunkline/http-upstream"
import type { Connection } from "@trunkline/telephony"
import { Data, Effect, Either, Exit, Redacted, Scope } from "effect"
import { type Answer, type Broken, exchange } from "./Exchange.js"
import { type Environment, type LineSettings, lineSettings } from "./LineOptions.js"

/** The options of a connection cannot be used; each problem is a line that tells no value. */
export class BadLine extends Data.TaggedError("BadLine")<{ readonly problems: ReadonlyArray<string> }> {}

/** What a provider is asked. */
export interface Question {
  /** After the base URL, such as `/calls`. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** Posted as JSON; absent: it is a GET. */
  readonly body?: Readonly<Record<string, unknown>>
  /** How long it may take. */
  readonly seconds: number
}

/** One phone line: where its provider is, and how it is asked. */
export interface Line {
  readonly settings: LineSettings
  /** Asks once: no question is repeated here. */
  readonly ask: (question: Question) => Effect.Effect<Answer, Broken>
}

/** How many connections to one provider there may be: a call that is talking holds one. */
const mostConnections = 4_096

/** How long a connection is kept that carries nothing, in ms, unless the provider says for how long it keeps it. */
const idleMillis = 4_000

/** A page of a thousand calls takes a quarter of it. */
const mostBytes = 1024 * 1024

const lineOver = (settings: LineSettings, connections: Connections): Line => {
  const { apiKey, base_url, timeouts } = settings
  const basePath = new URL(base_url).pathname.replace(/\/+$/, "")
  return {
    settings,
    ask: ({ body, headers, path, seconds }) =>
      Effect.suspend(() =>
        exchange(connections, {
          method: body === undefined ? "GET" : "POST",
          path: `${basePath}${path}`,
          headers: {
            ...headers,
            accept: "application/json",
            authorization: `Bearer ${Redacted.value(apiKey)}`,
            ...(body !== undefined && { "content-type": "application/json" })
          },
          body: body === undefined ? null : JSON.stringify(body)
        }, { connectMillis: timeouts.connect_seconds * 1000, totalMillis: seconds * 1000, mostBytes })
      )
  }
}

interface Opened {
  readonly options: Connection["options"]
  readonly line: Line
  readonly scope: Scope.CloseableScope
}

/** Opens lines when they are first used, and anew when their options change; all of them close with the scope. */
export const makeLines = (environment: Environment) =>
  Effect.gen(function*() {
    const opened = new Map<string, Opened>()
    const inTurn = (yield* Effect.makeSemaphore(1)).withPermits(1)
    const close = ({ scope }: Opened) => Scope.close(scope, Exit.void)
    yield* Effect.addFinalizer(() => Effect.forEach(opened.values(), close, { discard: true }))

    const open = ({ connection_id, options }: Connection, settings: LineSettings) =>
      Effect.gen(function*() {
        const before = opened.get(connection_id)
        if (before?.options === options) return before.line
        const scope = yield* Scope.make()
        const connections = yield* Scope.extend(
          makeConnections({
            origin: new URL(settings.base_url).origin,
            connections: mostConnections,
            connectMillis: settings.timeouts.connect_seconds * 1000,
            idleMillis
          }),
          scope
        )
        const line = lineOver(settings, connections)
        opened.set(connection_id, { options, line, scope })
        if (before !== undefined) yield* close(before)
        return line
      })

    return {
      /** The line of a connection. */
      of: (connection: Connection): Effect.Effect<Line, BadLine> =>
        Effect.suspend(() => {
          const known = opened.get(connection.connection_id)
          if (known?.options === connection.options) return Effect.succeed(known.line)
          const settings = lineSettings(connection, environment)
          return Either.isRight(settings)
            ? Effect.uninterruptible(inTurn(open(connection, settings.right)))
            : Effect.fail(new BadLine({ problems: settings.left }))
        })
    }
  })

/** See {@link makeLines}. */
export type Lines = Effect.Effect.Success<ReturnType<typeof makeLines>>
