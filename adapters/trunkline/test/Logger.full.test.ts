import { assert, describe, it } from "@effect/vitest"
import { Effect, Runtime } from "effect"
import type { LogLevelOption, PlainCarrier, TrunklineOptions } from "trunkline"
import type {} from "trunkline/effect"
import { call, later, line, withTrunkline } from "./Fixtures.js"

/** A logger that keeps its messages. */
class Kept {
  readonly messages: Array<string> = []
  debug = (message: string) => this.messages.push(`debug ${message}`)
  info = (message: string) => this.messages.push(`info ${message}`)
  warn = (message: string) => this.messages.push(`warn ${message}`)
  error(message: string) {
    return this.messages.push(`error ${message}`)
  }
}

const all = Effect.all([
  Effect.logTrace("one"),
  Effect.logDebug("two"),
  Effect.logInfo("three", { parts: 2 }),
  Effect.annotateLogs(Effect.logWarning("four"), "line", "l-1"),
  Effect.logError("five"),
  Effect.logFatal("six")
])

const messagesAt = async (logLevel?: LogLevelOption) => {
  const logger = new Kept()
  await withTrunkline({ logger, ...(logLevel !== undefined && { logLevel }) }, async (trunkline) => {
    await Runtime.runPromise(trunkline.effect.runtime)(all)
  })
  return logger.messages
}

describe("a logger of the host", () => {
  it("gets the messages of the engine, each as one text by its level", async () => {
    assert.deepStrictEqual(await messagesAt(), [
      `info three {"parts":2}`,
      "warn four line=l-1",
      "error five",
      "error six"
    ])
    assert.deepStrictEqual((await messagesAt("debug"))[0], "debug two")
    assert.deepStrictEqual(await messagesAt("error"), ["error five", "error six"])
    assert.deepStrictEqual(await messagesAt("none"), [])
  })

  it("hears of what goes wrong in the background", async () => {
    const logger = new Kept()
    const heard = later<string>()
    logger.error = (message) => {
      heard.resolve(message)
      return 0
    }
    const carrier: PlainCarrier = {
      place: () => Promise.reject(new Error("no")),
      offers: () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error("gone")) }) })
    }
    await withTrunkline(
      { logger, lines: [{ ...line, provider: "studio", carrier }], simulator: {} },
      async () => assert.match(await heard.promise, /Inbound calls ended/)
    )
  })

  it("is warned of a call that broke rules of every call, by their names, unless that is off", async () => {
    const warningsOf = async (options: Partial<TrunklineOptions>) => {
      const logger = new Kept()
      const model = { generate: () => Promise.reject(new Error(`nothing for ${call.to}`)) }
      await withTrunkline(
        { logger, model, ...options },
        async (trunkline) => (await trunkline.calls.create(call)).ended
      )
      return logger.messages.filter((message) => message.includes("rules of every call"))
    }
    const [warning, ...others] = await warningsOf({})
    assert.match(
      warning ?? "",
      /^warn A call of agent "reminder", version 1, broke rules of every call: failure\. attempt_id=[0-9a-f-]+$/
    )
    assert.deepStrictEqual(others, [])
    assert.deepStrictEqual(await warningsOf({ checkCalls: false }), [])
  })

  it("may throw: the engine goes on", async () => {
    const logger = new Kept()
    logger.warn = () => {
      throw new Error("full")
    }
    await withTrunkline({ logger }, async (trunkline) => {
      await Runtime.runPromise(trunkline.effect.runtime)(
        Effect.zipRight(Effect.logWarning("one"), Effect.logError("two"))
      )
    })
    assert.deepStrictEqual(logger.messages, ["error two"])
  })

  it("is not told the errors of fibers, which may repeat personal data", async () => {
    const logger = new Kept()
    await withTrunkline({ logger, logLevel: "debug" }, async (trunkline) => {
      const secret = Effect.fork(Effect.fail("+919876543210"))
      await Runtime.runPromise(trunkline.effect.runtime)(Effect.flatMap(secret, (fiber) => Effect.exit(fiber)))
    })
    assert.notInclude(logger.messages.join(), "9876543210")
  })
})
