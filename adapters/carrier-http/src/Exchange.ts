import { type Connections, makeWatch, networkErrorOf, type Posted } from "@trunkline/http-upstream"
import { Data, Effect } from "effect"
import type { IncomingHttpHeaders } from "node:http"

/** An answer that came whole. */
export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The JSON that it holds; undefined where it holds none. */
  readonly json: unknown
}

/** No whole answer came. */
export class Broken extends Data.TaggedError("Broken")<{
  /** Whether the request may have reached the provider. */
  readonly sent: boolean
  /** How the answer began, if it did. */
  readonly status: number | null
  /** What happened, in words that tell neither address nor content. */
  readonly reason: string
}> {}

/** How long a question may take, and how large its answer may be. */
export interface Bounds {
  readonly connectMillis: number
  /** In all. */
  readonly totalMillis: number
  readonly mostBytes: number
}

const never = Number.POSITIVE_INFINITY

const jsonIn = (pieces: ReadonlyArray<Uint8Array>): unknown => {
  try {
    return JSON.parse(Buffer.concat(pieces).toString("utf8"))
  } catch {
    return undefined
  }
}

/** Asks once. Interruption breaks the connection. */
export const exchange = (
  connections: Connections,
  posted: Posted,
  { connectMillis, mostBytes, totalMillis }: Bounds
): Effect.Effect<Answer, Broken> =>
  Effect.async((resume) => {
    const end = performance.now() + totalMillis
    const pieces: Array<Uint8Array> = []
    let bytes = 0
    let sent = false
    let head: { readonly status: number; readonly headers: IncomingHttpHeaders } | undefined

    const fail = (reason: string) => {
      watch.due(never)
      resume(Effect.fail(new Broken({ sent, status: head?.status ?? null, reason })))
    }
    const watch = makeWatch(() => {
      fail(sent ? "no whole answer in time" : "no connection in time")
      running.cancel()
    })
    watch.due(Math.min(end, performance.now() + connectMillis))

    const running = connections.post(posted, {
      // A process that was stopped meanwhile asks nothing any more: others may have taken over its work.
      onSent: () => {
        if (performance.now() >= end) {
          fail("no connection in time")
          running.cancel()
        } else {
          sent = true
          watch.due(end)
        }
      },
      onHead: (status, headers) => {
        head = { status, headers }
      },
      onBytes: (piece) => {
        bytes += piece.byteLength
        pieces.push(piece)
        if (bytes <= mostBytes) return
        fail(`an answer of more than ${mostBytes} bytes`)
        running.cancel()
      },
      onEnd: () => {
        watch.due(never)
        resume(
          head === undefined
            ? Effect.fail(new Broken({ sent, status: null, reason: "no answer" }))
            : Effect.succeed({ ...head, json: jsonIn(pieces) })
        )
      },
      onError: (error) => fail(networkErrorOf(error).reason ?? "the connection broke")
    })
    return Effect.sync(() => {
      watch.due(never)
      running.cancel()
    })
  })
