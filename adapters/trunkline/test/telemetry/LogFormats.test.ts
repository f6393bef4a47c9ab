import { assert, describe, it } from "@effect/vitest"
import { Cause, type Console, Effect, Layer, Logger } from "effect"
import type { LogFormatOption } from "trunkline"
import { redacted } from "../../src/errors/RedactedLog.js"
import { loggerLayer } from "../../src/options/LoggerLayer.js"

const leak = "+919876543210 https://me:quiet@host.example/quiet Bearer quiet"

const messages = Effect.annotateLogs(
  Effect.zipRight(
    Effect.logError("It failed", leak, { leak }, 42, Cause.fail(new Error(leak))),
    Effect.logDebug("not shown")
  ),
  { leak, request_id: "20261129_54a7c548-b78c-4c32-b8e6-45b7376a6142", tries: 3 }
)

/** Lines that are written in a form, on standard error and on standard output. */
const written = (logFormat: LogFormatOption) =>
  Effect.gen(function*() {
    const console = yield* Effect.console
    const lines: Array<string> = []
    const write = (...texts: ReadonlyArray<unknown>) => void lines.push(texts.join(" "))
    const unsafe = { ...console.unsafe, error: write, log: write, group: write, groupEnd: () => {} }
    const kept: Console.Console = { ...console, unsafe }
    yield* messages.pipe(Effect.provide(loggerLayer({ logFormat })), Effect.withConsole(kept))
    return lines
  })

describe("the log", () => {
  for (const logFormat of ["json", "logfmt"] as const) {
    it.effect(`is one line a message as ${logFormat}, with the request and without secrets`, () =>
      Effect.gen(function*() {
        const lines = yield* written(logFormat)
        assert.lengthOf(lines, 1)
        assert.notInclude(lines[0], "\n")
        assert.match(lines[0] ?? "", /It failed.*20261129_54a7c548-b78c-4c32-b8e6-45b7376a6142/)
        assert.include(lines[0], "******3210 https://host.example/*** Bearer ***")
        assert.notMatch(lines[0] ?? "", /quiet|98765/)
      }))
  }

  it.effect("is JSON that machines can read, with numbers as they are", () =>
    Effect.gen(function*() {
      const [line = ""] = yield* written("json")
      const { annotations, logLevel, message } = JSON.parse(line)
      assert.strictEqual(logLevel, "ERROR")
      assert.include(annotations, { tries: 3 })
      assert.include(message, 42)
    }))

  it.effect("hides secrets in every part that a logger gets", () =>
    Effect.gen(function*() {
      const texts: Array<string> = []
      const logger = redacted(Logger.make((options) => {
        const { annotations, cause, message } = options
        texts.push(JSON.stringify([message, annotations, Cause.pretty(cause)]))
      }))
      yield* Effect.provide(messages, Layer.merge(Logger.replace(Logger.defaultLogger, logger), Layer.empty))
      assert.lengthOf(texts, 1)
      assert.notMatch(texts.join(), /quiet|98765/)
      assert.include(texts[0], "Error: ******3210")
    }))
})
