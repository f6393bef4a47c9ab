import { assert, describe, it } from "@effect/vitest"
import { FileDownload } from "@trunkline/cohorts"
import { FileDownloadGuarded, GuardedHttp, type HostLookup, HttpSenderGuarded } from "@trunkline/http-client/guarded"
import { HttpSender } from "@trunkline/webhooks"
import { Cause, Duration, Effect, Exit, Inspectable, Layer, Logger, LogLevel, Stream, Tracer } from "effect"
import { inspect } from "node:util"
import { gzipSync } from "node:zlib"
import { httpServer, local, rawServer } from "./LocalServer.js"

const secret = "s3cret"

/** Collects logs and spans. */
const listener = () => {
  const texts: Array<string> = []
  const hear = (...args: ReadonlyArray<unknown>) =>
    void texts.push(...args.map((thing) => typeof thing === "string" ? thing : inspect(thing, { depth: 10 })))
  const tracer = Tracer.make({
    context: (run) => run(),
    span: (name, parent, context, links, startTime, kind) => {
      hear(name)
      const attributes = new Map<string, unknown>()
      return {
        _tag: "Span",
        name,
        parent,
        context,
        links,
        kind,
        attributes,
        spanId: name,
        traceId: name,
        sampled: true,
        status: { _tag: "Started", startTime },
        end: (_, exit) =>
          Exit.isFailure(exit) ? hear(Cause.pretty(exit.cause, { renderErrorCause: true }), exit) : hear(),
        attribute: hear,
        event: hear,
        addLinks: hear
      }
    }
  })
  const logger = Logger.make(({ annotations, cause, message }) => hear(message, Cause.pretty(cause), annotations))
  return {
    heard: texts,
    layer: Layer.mergeAll(
      Layer.setTracer(tracer),
      Logger.replace(Logger.defaultLogger, logger),
      Logger.minimumLogLevel(LogLevel.All)
    )
  }
}

/** All printed forms of an error. */
const textOf = (error: unknown): string =>
  [
    inspect(error, { depth: 10, showHidden: true }),
    String(error),
    JSON.stringify(error),
    Inspectable.toStringUnknown(error),
    Cause.pretty(Cause.fail(error), { renderErrorCause: true })
  ].join("\n")

const lookup: HostLookup = (name) => Promise.reject(new Error(`no such host: ${name}`))

describe("a secret in a URL, a header or a body", () => {
  it.scopedLive("appears nowhere but at the receiver, whatever fails", () => {
    const { heard, layer } = listener()
    return Effect.gen(function*() {
      const port = yield* httpServer((request, response) => {
        const path = request.url?.split("?")[0]
        if (path === "/status") response.writeHead(500, secret, { "x-secret": secret }).end(secret)
        if (path === "/moved") response.writeHead(302, { location: `http://me:${secret}@127.0.0.1/` }).end()
        if (path === "/around") response.writeHead(302, { location: request.url }).end()
        if (path === "/encoding") response.writeHead(200, { "content-encoding": secret }).end()
        if (path === "/zip") response.writeHead(200, { "content-encoding": "gzip" }).end(secret)
        if (path === "/cut") response.writeHead(200, { "content-encoding": "br" }).end(gzipSync(secret))
        if (path === "/large") response.writeHead(200, { "content-length": 2 ** 40 }).write(secret)
      })
      const raw = yield* rawServer((socket, path) => {
        if (path.startsWith("/reset")) socket.resetAndDestroy()
        if (path.startsWith("/garbage")) socket.end(`${secret}\r\n\r\n`)
        if (path.startsWith("/short")) {
          socket.end(`HTTP/1.1 200 OK\r\nx: ${secret}\r\ncontent-length: 9\r\n\r\n${secret}`)
        }
      })
      const closed = yield* Effect.scoped(httpServer(() => {}))
      const query = `?sig=${secret}#${secret}`
      const urls = [
        ...["status", "moved", "around", "encoding", "zip", "cut", "large", "silent"].map((path) =>
          `http://127.0.0.1:${port}/${path}${query}`
        ),
        ...["reset", "garbage", "short"].map((path) => `http://127.0.0.1:${raw}/${path}${query}`),
        `http://127.0.0.1:${closed}/${query}`,
        `https://127.0.0.1:${port}/${query}`,
        `http://${secret}.example/${query}`,
        `http://me:${secret}@127.0.0.1:${port}/`,
        `ftp://127.0.0.1/${query}`,
        `http://127.0.0.1:99999/${query}`,
        `http://[::1%25${secret}]/`,
        `/${secret}`,
        `http://127.0.0.1/${secret.repeat(1000)}`
      ]
      const downloads = yield* FileDownload
      const sender = yield* HttpSender
      const http = yield* GuardedHttp
      const idleTime = Duration.millis(50)
      const errors = yield* Effect.forEach(urls, (url) =>
        Effect.all([
          Effect.flip(Stream.runDrain(http.get({ url, idleTime, headers: { authorization: secret } }))),
          Effect.flip(Stream.runDrain(http.get({ url, idleTime, headers: { [`a\n${secret}`]: secret } }))),
          Effect.flip(Stream.runDrain(http.get({ url, idleTime, headers: { a: `b\r\n${secret}` } }))),
          sender.post({
            url,
            headers: { authorization: secret },
            body: new TextEncoder().encode(secret),
            timeout: idleTime
          }).pipe(Effect.flip, Effect.option),
          Effect.flip(Stream.runDrain(downloads.fetch(url))).pipe(Effect.timeoutOption(idleTime)),
          Effect.exit(Effect.withSpan(Stream.runDrain(http.get({ url, idleTime })), "outer")).pipe(
            Effect.tap((exit) => Effect.logError("failed", Exit.isFailure(exit) ? exit.cause : Cause.empty))
          )
        ]))
      assert.include(heard.join("\n"), "GuardedHttp.get")
      assert.include(heard, "POST")
      assert.include(heard.join("\n"), "HTTP 500")
      const texts = [...heard, ...errors.flat().map(textOf)]
      assert.isAbove(texts.length, 200)
      assert.deepStrictEqual(texts.filter((text) => text.includes(secret)), [])
    }).pipe(
      Effect.provide(Layer.mergeAll(
        HttpSenderGuarded.layer({ ...local, lookup }),
        FileDownloadGuarded.layer({ ...local, lookup }),
        GuardedHttp.layer({ ...local, lookup }),
        layer
      ))
    )
  })
})
