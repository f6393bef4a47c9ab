import { Effect } from "effect"
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"

/** A span as it arrives over OTLP in JSON. */
export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: ReadonlyArray<{ readonly key: string; readonly value: Readonly<Record<string, unknown>> }>
  readonly events: ReadonlyArray<{ readonly name: string }>
  readonly status: { readonly code?: number; readonly message?: string }
}

/** A collector that keeps what it receives. */
export interface Collector {
  readonly endpoint: string
  readonly spans: ReadonlyArray<ReceivedSpan>
  /** Texts of all requests. */
  readonly bodies: ReadonlyArray<string>
  readonly headers: ReadonlyArray<IncomingHttpHeaders>
  readonly paths: ReadonlyArray<string | undefined>
}

interface Exported {
  readonly resourceSpans: ReadonlyArray<
    { readonly scopeSpans: ReadonlyArray<{ readonly spans: ReadonlyArray<ReceivedSpan> }> }
  >
}

/** Starts a collector that answers with a status; none at all for `silent`. */
export const startCollector = (answer: number | "silent" = 200) =>
  Effect.acquireRelease(
    Effect.async<Collector & { readonly close: () => void }>((resume) => {
      const spans: Array<ReceivedSpan> = []
      const bodies: Array<string> = []
      const headers: Array<IncomingHttpHeaders> = []
      const paths: Array<string | undefined> = []
      const server = createServer((request, response) => {
        const chunks: Array<Buffer> = []
        request.on("data", (chunk: Buffer) => void chunks.push(chunk))
        request.on("end", () => {
          const body = Buffer.concat(chunks).toString()
          headers.push(request.headers)
          paths.push(request.url)
          bodies.push(body)
          if (request.headers["content-type"] === "application/json") {
            const exported: Exported = JSON.parse(body)
            spans.push(...exported.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)))
          }
          if (answer === "silent") return
          response.writeHead(answer, { "content-type": "application/json" })
          response.end("{}")
        })
      })
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        const close = () => {
          server.close()
          server.closeAllConnections()
        }
        resume(Effect.succeed({ endpoint: `http://127.0.0.1:${port}`, spans, bodies, headers, paths, close }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )

/** Attributes of a span by their names. */
export const attributesOf = (span: ReceivedSpan | undefined): Readonly<Record<string, unknown>> =>
  Object.fromEntries((span?.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]]))
