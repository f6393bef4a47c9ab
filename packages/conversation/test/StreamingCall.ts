import { Agent, AgentCatalog, type AgentVersion, type ToolHandlers } from "@trunkline/agents"
import { AgentTools, Conversation } from "@trunkline/conversation"
import { testCallBrief } from "@trunkline/conversation/testing"
import { BusinessTime } from "@trunkline/kernel"
import { LanguageModel } from "@trunkline/models"
import { type FakeModel, fakeModel, type FakeStep, sends } from "@trunkline/models/testing"
import { CallHandler, type Heard, type Leg, LegEnded } from "@trunkline/telephony"
import { Duration, Effect, Layer, Stream } from "effect"
import { promptAgent, quiet } from "./Fixtures.js"

/** A clause that the agent began to speak, with its moment in milliseconds. */
interface SpokenClause {
  readonly at: number
  readonly text: string
}

export interface StreamingCallOptions {
  readonly version: AgentVersion
  /** Lines of the caller, each said a second after the agent listens; then they hang up. */
  readonly lines: ReadonlyArray<string>
  /** One script of the model for each request; the last one repeats. */
  readonly model: ReadonlyArray<ReadonlyArray<FakeStep>>
  readonly handlers?: ToolHandlers
  /** Interrupts the first reply of the model after this number of clauses. */
  readonly interruptAfter?: number
  /** Fails the voice of the first reply of the model after this number of clauses. */
  readonly failAfter?: number
  /** Said by the caller while tools run. */
  readonly meanwhile?: string
  /** The caller holds the call until this moment, in milliseconds. */
  readonly heldUntil?: number
}

const silent: Heard = { _tag: "Silent" }

const saidOf = (text: string): Heard => ({ _tag: "Said", text, en_text: null, language_name: "English" })

/** A leg that speaks each clause in a second, and its clauses so far. */
const streamingLeg = (
  { failAfter, heldUntil = 0, interruptAfter, lines, meanwhile }: StreamingCallOptions,
  now: () => number
) => {
  const clauses: Array<SpokenClause> = []
  const waiting = [...lines]
  let isOver = false
  let isInterrupted = false

  const speak = (text: string) =>
    Effect.gen(function*() {
      clauses.push({ at: yield* BusinessTime.now, text })
      yield* BusinessTime.sleep("1 second")
      return text
    })

  const ended = Effect.suspend(() => isOver ? Effect.fail(new LegEnded({ by: "user" })) : Effect.void)

  const leg: Leg = {
    streams: true,
    say: ({ more, text }) =>
      Effect.gen(function*() {
        yield* ended
        if (more !== undefined && failAfter !== undefined) {
          const chunks = yield* Stream.runCollect(Stream.take(Stream.mapEffect(more, speak), failAfter))
          return { heard: [...chunks].join(" "), interrupted: false, failed: true, reason: "the voice is away" }
        }
        if (more === undefined) return { heard: yield* speak(text), interrupted: false }
        const limit = isInterrupted ? Number.MAX_SAFE_INTEGER : interruptAfter ?? Number.MAX_SAFE_INTEGER
        const spokenChunks = yield* Stream.runCollect(Stream.take(Stream.mapEffect(more, speak), limit))
        const interrupted = spokenChunks.length === limit
        isInterrupted ||= interrupted
        return { heard: [...spokenChunks].join(" "), interrupted }
      }),
    listen: (silence) =>
      Effect.gen(function*() {
        yield* ended
        if (Duration.toMillis(silence) === 0) return meanwhile === undefined ? silent : saidOf(meanwhile)
        yield* BusinessTime.sleep("1 second")
        const line = waiting.shift()
        isOver = line === undefined
        yield* ended
        return saidOf(line ?? "")
      }),
    isHeld: () => now() < heldUntil,
    hangUp: Effect.sync(() => isOver = true)
  }
  return { leg, clauses }
}

const run = (options: StreamingCallOptions, model: FakeModel) =>
  Effect.gen(function*() {
    const clock = yield* Effect.clock
    const { clauses, leg } = streamingLeg(options, () => clock.unsafeCurrentTimeMillis())
    const { handle } = yield* CallHandler
    const report = yield* handle(leg, testCallBrief)
    return { report, clauses, texts: clauses.map(({ text }) => text), requests: model.calls }
  }).pipe(
    Effect.provide(
      Conversation.layer.pipe(
        Layer.provide([
          AgentCatalog.layerOf([new Agent({ app_id: testCallBrief.app_id, versions: [options.version] })]),
          Layer.succeed(LanguageModel, model),
          AgentTools.layerOf(options.handlers ?? {})
        ])
      )
    )
  )

/**
 * Lets an agent hold a call over a leg that begins to speak before a reply is complete. The agent greets, has the tool `balance`
 * and may set `city`, with the changes of `agent`; expected failures warn nobody.
 */
export const balanceCall = (
  { agent = {}, ...options }: Omit<StreamingCallOptions, "version"> & { readonly agent?: object }
) => quiet(run({ version: promptAgent({ ...balanceAgent, ...agent }), ...options }, fakeModel(options.model)))

const balanceAgent = {
  first_message: "Hello.",
  tools: [{ name: "balance", description: "balance" }],
  variables: ["city"]
}

/** A tool call, complete with its arguments. */
export const calls = (name: string, input: object = {}): ReadonlyArray<FakeStep> => [
  sends({ _tag: "ToolStart", index: 0, id: "call-1", name }),
  sends({ _tag: "ToolArgs", index: 0, text: JSON.stringify(input) })
]
