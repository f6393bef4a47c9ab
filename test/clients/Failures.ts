import { assert, describe, it } from "@effect/vitest"
import { testKeys } from "@trunkline/http-api/testing"
import { Predicate } from "effect"
import { failing } from "./Script.js"
import type { Served } from "./Server.js"
import { waitForever } from "./Waiting.js"

/** A question to a model, by way of a client. */
export interface Asked {
  readonly prompt: string
  readonly streamed: boolean
  /** Without the version. */
  readonly url: string
  readonly apiKey: string
  readonly model: string
  readonly temperature?: number
  readonly signal?: AbortSignal
  /** Called with each piece of a stream. */
  readonly onText?: () => void
}

/** Asks by way of a client, without retries; rejects where the client does not take what it got for a whole answer. */
export type Ask = (asked: Asked) => Promise<string>

interface Told {
  readonly status?: number
  readonly retryAfter?: string
  readonly messages: ReadonlyArray<string>
}

const headerOf = (headers: unknown): string | undefined => {
  const value = headers instanceof Headers
    ? headers.get("retry-after")
    : Predicate.isRecord(headers)
    ? headers["retry-after"]
    : undefined
  return Predicate.isString(value) ? value : undefined
}

/** Text of an error and of its causes. */
const toldBy = (error: unknown): Told => {
  if (!Predicate.isRecord(error)) return { messages: Predicate.isString(error) ? [error] : [] }
  const status = error["status"] ?? error["statusCode"]
  const retryAfter = headerOf(error["headers"] ?? error["responseHeaders"])
  const { messages, ...cause } = toldBy(error["cause"] ?? error["lastError"])
  return {
    ...(Predicate.isNumber(status) && { status }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...cause,
    messages: [...(Predicate.isString(error["message"]) ? [error["message"]] : []), ...messages]
  }
}

/** Holds a client to reading every failure of a route as one. */
export const readsFailures = (server: Served, { ask, failed }: {
  readonly ask: Ask
  /** The status of a model that failed. */
  readonly failed: 502 | 503
}) => {
  const asked = (streamed: boolean, more: Partial<Asked> = {}): Asked => ({
    prompt: "Please count to three",
    streamed,
    url: server.url,
    apiKey: testKeys.beta,
    model: "core-105b",
    ...more
  })

  const errorOf = (question: Asked) =>
    ask(question).then((text) => assert.fail(`it was taken for a whole answer: ${text}`), (error: unknown) => error)

  const cases: ReadonlyArray<readonly [about: string, more: Partial<Asked>, status: number, message: string]> = [
    ["a request that breaks a rule", { temperature: 9 }, 400, "temperature: Must be at most 2"],
    ["a key that nobody knows", { apiKey: "sk_test_nobody_knows" }, 403, "API key"],
    ["a model that there is not", { model: "core-106b" }, 404, `No model with the id "core-106b" exists`],
    ["too many requests", { prompt: failing.limited }, 429, "Enough for now"],
    ["a model that failed", { prompt: failing.failed }, failed, "It failed"],
    ["a model out of service", { prompt: failing.unavailable }, 503, "Out of service"],
    ["a model that takes too long", { prompt: failing.late }, 504, "It took too long"]
  ]

  describe.each([["a whole answer", false], ["a stream", true]] as const)("asked for %s", (_, streamed) => {
    it.each(cases)("fails with the status and the words of %s", async (_, more, status, message) => {
      const told = toldBy(await errorOf(asked(streamed, more)))
      assert.include(told.messages.join(" | "), message)
      assert.strictEqual(told.status, status)
      if (status === 429) assert.strictEqual(told.retryAfter, "7")
    })

    it("fails when the connection breaks in the middle", async () => {
      await errorOf(asked(streamed, { url: server.cutUrl }))
    })

    it("stops when it is told to, and the model with it", async () => {
      const waiting = server.nextWaiting()
      const abort = new AbortController()
      const asking = ask(asked(streamed, {
        prompt: waitForever,
        signal: abort.signal,
        onText: () => abort.abort()
      }))
      if (!streamed) void waiting.reached.then(() => abort.abort())
      const outcome = await asking.then((text) => text, () => "stopped")
      assert.include(streamed ? ["stopped", "One"] : ["stopped"], outcome)
      await waiting.left
    })
  })

  it("fails when an answer breaks off after its first words", async () => {
    let pieces = 0
    await errorOf(asked(true, { prompt: failing.broken, onText: () => void (pieces += 1) }))
    assert.isAbove(pieces, 0)
  })
}
