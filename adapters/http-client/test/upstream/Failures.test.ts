import { assert, describe, it } from "@effect/vitest"
import { makeUpstream, type UpstreamFailure } from "@trunkline/http-client"
import { type Step, tcp } from "@trunkline/http-client/testing"
import { Duration, Effect, Logger, LogLevel, Redacted, Stream } from "effect"
import { hello, serverBefore, textOf } from "./Asking.js"

const key = "sk-secret-0123456789"
const words = "my mother's maiden name"

/** The parts of a failure that are compared. */
const shape = (failure: UpstreamFailure): unknown => ({
  ..."retryAfter" in failure && failure.retryAfter !== undefined
    && { seconds: Duration.toSeconds(failure.retryAfter) },
  ..."lasting" in failure && { lasting: failure.lasting },
  tag: failure._tag,
  message: failure.message
})

const failed = (message: string) => ({ tag: "ModelFailed", message: `The speech server ${message}` })
const refused = failed("does not accept this request")
const broken = failed("failed. Try again.")
const brokenOff = { tag: "ModelFailed", message: "The speech server's answer broke off. Try again." }
const nonsense = failed("gave an answer that makes no sense. Try again.")
const lasting = (message: string) => ({ tag: "ModelUnavailable", lasting: true, message })
const badKey = lasting("The speech server refused our key; check that it is complete and was not revoked")
const overloaded = {
  tag: "ModelUnavailable",
  message: "The speech server is overloaded or out of service. Try again later."
}
const timedOut = { tag: "ModelTimedOut", message: "The speech server did not answer in time" }
const limited = (seconds: number) => ({
  tag: "ModelRateLimited",
  message: "The speech server has had enough requests for now",
  seconds
})

/** They are asked to stay away for long, so that none is asked twice here. */
const statuses: ReadonlyArray<readonly [status: number, expected: unknown]> = [
  [301, broken],
  [307, broken],
  [304, broken],
  [400, refused],
  [401, badKey],
  [402, lasting("Our account with the speech server is used up: add credit, or raise its limit")],
  [403, badKey],
  [404, lasting("The speech server does not have this model, or this address: check both")],
  [405, broken],
  [408, timedOut],
  [413, failed("does not accept this request: it is too large")],
  [415, refused],
  [422, refused],
  [429, limited(30)],
  [500, broken],
  [501, broken],
  [502, broken],
  [503, overloaded],
  [504, timedOut],
  [521, overloaded],
  [522, overloaded],
  [523, overloaded],
  [524, timedOut],
  [529, overloaded]
]

/** All that is logged while an effect runs. */
const logged = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const lines: Array<string> = []
    const logger = Logger.make((entry) =>
      void lines.push(JSON.stringify([entry.message, entry.cause, entry.annotations]))
    )
    const value = yield* effect.pipe(
      Logger.withMinimumLogLevel(LogLevel.All),
      Effect.provide(Logger.replace(Logger.defaultLogger, logger))
    )
    return { value, lines }
  })

const asking = { body: { text: words }, path: "/say", accept: "*/*" }

describe("a failure", () => {
  for (const [status, expected] of statuses) {
    it.scoped(`is classified by the status ${status}, without text of the server`, () =>
      Effect.gen(function*() {
        const error = JSON.stringify({ error: { message: `'${words}' with ${key}`, code: key } })
        const { post, server } = yield* serverBefore([
          { status, headers: { "location": "/elsewhere", "retry-after": "30", "content-type": "application/json" } },
          ...status === 304 ? [] : [{ write: error }],
          "end"
        ], { apiKey: Redacted.make(key) })
        const { lines, value } = yield* logged(Effect.flip(post(asking)))
        assert.deepStrictEqual(shape(value), expected)
        assert.lengthOf(server.requests, 1, "no redirect is followed, and nothing is asked twice")
        const logText = JSON.stringify([value, lines, String(value.stack)])
        assert.notInclude(logText, key)
        assert.notInclude(logText, words)
        assert.deepStrictEqual(lines, [
          JSON.stringify([[`${value._tag}: status ${status}`], { _id: "Cause", _tag: "Empty" }, {
            _id: "HashMap",
            values: []
          }])
        ])
      }))
  }

  it.scoped("is reported at once, even if its body never ends", () =>
    Effect.gen(function*() {
      const { post } = yield* serverBefore([{ status: 500 }, { write: "{" }, "hang"])
      assert.strictEqual((yield* Effect.flip(post(hello)))._tag, "ModelFailed")
    }))

  it.scoped("without a Retry-After is temporary for a second", () =>
    Effect.gen(function*() {
      const { post } = yield* serverBefore([{ status: 429 }, "end"])
      assert.deepStrictEqual(shape(yield* Effect.flip(post(hello))), limited(1))
    }))

  it.scoped("is reported for a compressed response, which was not requested", () =>
    Effect.gen(function*() {
      const { post } = yield* serverBefore([
        { status: 200, headers: { "content-encoding": "gzip" } },
        { write: "x" },
        "end"
      ])
      assert.deepStrictEqual(shape(yield* Effect.flip(post(hello))), nonsense)
    }))

  it.scoped("is reported for a response that is not HTTP", () =>
    Effect.gen(function*() {
      const port = yield* tcp((socket) => socket.end("SSH-2.0-OpenSSH_9.2\r\n"))
      const { post } = yield* makeUpstream("speech server", { baseUrl: `http://127.0.0.1:${port}` })
      assert.deepStrictEqual(shape(yield* Effect.flip(post(hello))), nonsense)
    }))

  it.scopedLive("is reported for an unknown host or a failed TLS connection, without the address", () =>
    Effect.gen(function*() {
      const port = yield* tcp((socket) => socket.end("HTTP/1.1 400 no\r\n\r\n"))
      for (const baseUrl of ["http://nobody.invalid/v1", `https://127.0.0.1:${port}/v1`]) {
        const { post } = yield* makeUpstream("speech server", { baseUrl })
        const { lines, value } = yield* logged(Effect.flip(post(hello)))
        assert.strictEqual(value._tag, "ModelUnavailable")
        assert.match(
          value.message,
          /^The speech server cannot be reached: (its host name does not|no secure connection)/
        )
        assert.notMatch(JSON.stringify([value, lines]), /invalid|127/)
      }
    }))

  it.scoped("is reported for a key that no header can hold, without the key", () =>
    Effect.gen(function*() {
      const { post } = yield* serverBefore(["hang"], { apiKey: Redacted.make(`${key}\n`) })
      const { lines, value } = yield* logged(Effect.flip(post(hello)))
      assert.strictEqual(value.message, "The speech server cannot be reached: a header that it needs is malformed")
      assert.notInclude(JSON.stringify([value, lines, String(value.stack)]), key)
    }))
})

describe("a truncated response", () => {
  const headStep: Step = { status: 200, headers: { "content-type": "audio/pcm" } }
  const promising: Step = { status: 200, headers: { "content-length": "1000" } }
  const breaks: Readonly<Record<string, ReadonlyArray<Step>>> = {
    "is cut between chunks": [headStep, { write: "12345678" }, "cut"],
    "is reset": [headStep, { write: "12345678" }, "reset"],
    "is shorter than its length": [promising, { write: "12345678" }, "cut"]
  }
  for (const [name, steps] of Object.entries(breaks)) {
    it.scoped(`fails after what came: it ${name}`, () =>
      Effect.gen(function*() {
        let release = () => {}
        const read = new Promise<void>((done) => {
          release = done
        })
        const { post, server } = yield* serverBefore([...steps.slice(0, 2), { until: read }, ...steps.slice(2)])
        const answer = yield* post(hello)
        release()
        assert.deepStrictEqual(shape(yield* Effect.flip(textOf(answer))), brokenOff)
        assert.lengthOf(server.requests, 1)
      }))
  }

  it.scoped("fails inside a chunk", () =>
    Effect.gen(function*() {
      const head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
      const port = yield* tcp((socket) =>
        socket.once("data", () => socket.write(`${head}10\r\n1234`, () => socket.end()))
      )
      const { post } = yield* makeUpstream("speech server", { baseUrl: `http://127.0.0.1:${port}` })
      assert.deepStrictEqual(shape(yield* Effect.flip(Effect.flatMap(post(hello), textOf))), brokenOff)
    }))

  it.scoped("fails at a malformed chunk, after the earlier bytes", () =>
    Effect.gen(function*() {
      const head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
      const port = yield* tcp((socket) => socket.once("data", () => socket.end(`${head}4\r\n1234\r\nzz\r\n`)))
      const { post } = yield* makeUpstream("speech server", { baseUrl: `http://127.0.0.1:${port}` })
      // A slow reader finds both at once.
      const { bytes } = yield* Effect.withScheduler(post(hello), {
        scheduleTask: (task) => void setTimeout(task, 10),
        shouldYield: () => false
      })
      let came = ""
      const failure = yield* Effect.flip(Stream.runForEach(bytes, (piece) =>
        Effect.sync(() => {
          came += Buffer.from(piece).toString()
        })))
      assert.deepStrictEqual([came, shape(failure)], ["1234", nonsense])
    }))
})
