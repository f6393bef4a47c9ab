import { assert } from "@effect/vitest"
import type { OpenAiModel } from "@trunkline/model-openai"
import type { ModelRequest } from "@trunkline/models"
import { Effect } from "effect"
import { serving, type Told, ways } from "./Clients.js"
import { fakeUpstream, type Script, type Seen, type Step } from "./FakeUpstream.js"
import { chunk, event, events, hello, json, usageChunk, whole, words } from "./Wire.js"

/** What an upstream does with one request. */
export type Answering = (seen: Seen) => ReadonlyArray<Step>

/** The sixty tokens of an upstream's answer. */
export const tokensOf = (upstream: string): ReadonlyArray<string> =>
  Array.from({ length: 60 }, (_, index) => `${upstream} ${index}, `)

/** All that an upstream has to say. */
export const allOf = (upstream: string): string => tokensOf(upstream).join("")

/** How many tokens the upstreams say that they wrote. */
export const outputTokens = { primary: 60, secondary: 62, tertiary: 63 }

type Upstream = keyof typeof outputTokens

const documentOf = (upstream: Upstream) =>
  whole({ content: allOf(upstream) }, "stop", { usage: usageChunk(3, outputTokens[upstream]).usage })

/** The last events of a stream, the very last one left out. */
export const ending = (upstream: Upstream) => [chunk({}, "stop"), usageChunk(3, outputTokens[upstream])] as const

const asksStream = ({ body }: Seen) => body.stream === true

/** Does one thing with streams and another one with whole answers. */
export const either = (stream: ReadonlyArray<Step>, inOne: ReadonlyArray<Step>): Answering => (seen) =>
  asksStream(seen) ? stream : inOne

/** Answers, all of it. */
export const well = (upstream: Upstream): Answering =>
  either(
    [{ write: events(...tokensOf(upstream).map(words), ...ending(upstream), "[DONE]") }, "end"],
    json(documentOf(upstream))
  )

/** Answers a stream up to a number of tokens, or two thirds of a document, and then does something else. */
export const upTo = (count: number, ...rest: ReadonlyArray<Step>): Answering => {
  const document = JSON.stringify(documentOf("primary"))
  return either(
    [{ write: events(...tokensOf("primary").slice(0, count).map(words)) }, { pause: 50 }, ...rest],
    [
      { status: 200, headers: { "content-type": "application/json" } },
      { write: document.slice(0, document.length * 2 / 3) },
      { pause: 50 },
      ...rest
    ]
  )
}

/** Has the tokens of its answer between comments that keep the connection alive, the first of them after two seconds. */
export const slowly: Answering = either(
  [
    ...Array.from({ length: 100 }, () => [{ pause: 20 }, { write: ": ping\n\n" }]).flat(),
    ...tokensOf("primary").map((token) => ({ write: event(words(token)) })),
    { write: events(...ending("primary"), "[DONE]") },
    "end"
  ],
  [{ pause: 2_000 }, ...json(documentOf("primary"))]
)

/** A status with an error. */
export const status = (
  status: number,
  error: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = {}
): Answering =>
() => json({ error: { message: "No.", ...error } }, status, headers)

/** One thing after the other, the last one ever after. */
export const inTurn = (...answers: ReadonlyArray<Answering>): Script => {
  let made = 0
  return (seen) => answers[Math.min(made++, answers.length - 1)]?.(seen) ?? []
}

/** What became of a request. */
export interface Faced extends Told {
  readonly way: string
  readonly isStream: boolean
  /** How often the upstreams were asked. */
  readonly asked: readonly [primary: number, secondary: number]
  /** The routes that answered, by name. */
  readonly served: ReadonlyArray<string>
}

/** How the fault is met. */
export interface Defence {
  /** Of the primary, and of all. */
  readonly options?: Partial<OpenAiModel.ReliableOptions>
  /** Of the secondary; null: there is none. */
  readonly secondary?: Partial<OpenAiModel.Fallback> | null
  /** What the secondary does; default: it answers well. */
  readonly answering?: Answering
  readonly request?: ModelRequest
}

/**
 * Nobody may take a part for the whole: what ends well has its end, all that one upstream had to say, and that
 * upstream's usage, paid once; what fails says so, costs nothing, and has shown no more than a beginning.
 */
export const assertHonest = (told: Told, note: string) => {
  if (told.failure === null) {
    const upstream = (["primary", "secondary", "tertiary"] as const).find((upstream) => told.text === allOf(upstream))
    assert.isDefined(upstream, `${note}: ${told.text}`)
    assert.isTrue(told.isFinished, note)
    const output = outputTokens[upstream ?? "primary"]
    assert.strictEqual(told.outputTokens, output, note)
    if (told.paid !== null) assert.deepStrictEqual(told.paid, [output], note)
  } else {
    assert.isFalse(told.isFinished, note)
    assert.isTrue(allOf("primary").startsWith(told.text) && told.text !== allOf("primary"), note)
    if (told.paid !== null) assert.isEmpty(told.paid, note)
  }
}

/**
 * Asks in every way an upstream that has a fault, each time a new one. Unless told otherwise there are as many attempts as
 * usual alone, and two before a fallback, without pauses worth waiting for.
 */
export const facing = (fault: ReadonlyArray<Answering>, defence: Defence = {}) =>
  Effect.forEach(Object.entries(ways), ([way, { ask, isStream }]) =>
    Effect.scoped(Effect.gen(function*() {
      const { answering = well("secondary"), options = {}, request = hello, secondary = {} } = defence
      const served: Array<string> = []
      const first = yield* fakeUpstream(inTurn(...fault))
      const second = yield* fakeUpstream(answering)
      const services = yield* serving({
        baseUrl: first.baseUrl,
        retries: { initialDelay: 20, ...secondary === null ? {} : { attempts: 2 } },
        ...secondary === null ? {} : { fallbacks: [{ name: "secondary", baseUrl: second.baseUrl, ...secondary }] },
        onServed: ({ route }) => Effect.sync(() => void served.push(route)),
        ...options
      })
      const told = yield* Effect.provide(ask(request), services)
      assertHonest(told, way)
      const faced: Faced = { ...told, way, isStream, served, asked: [first.requests.length, second.requests.length] }
      return faced
    })), { concurrency: "unbounded" })
