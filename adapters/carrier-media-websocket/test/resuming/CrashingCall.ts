import { Agent, AgentCatalog, AgentVersion, type ToolHandlers } from "@trunkline/agents"
import { AgentTools, Conversation } from "@trunkline/conversation"
import { testCallBrief } from "@trunkline/conversation/testing"
import { LanguageModel, messageText, type ModelRequest } from "@trunkline/models"
import { answers, fakeModel, type FakeStep, says, sends, waits } from "@trunkline/models/testing"
import { CallHandler, type CallLog, type CallReport } from "@trunkline/telephony"
import { Clock, Deferred, Effect, Fiber, Layer, Option, Runtime, Schema } from "effect"
import type { WordsFormat } from "../../src/dialects/StreamFormat.js"
import { makeRelayLeg } from "../../src/relay/RelayLeg.js"
import { makeRelayWorld } from "./RelayWorld.js"

/** A crash at a write of the log, by its number, before or after it is stored. */
export interface Crash {
  readonly write: number
  readonly when: "before" | "after"
}

/** A crash once the provider was told to end the call. */
export interface CrashAtEnd {
  readonly at: "end"
}

/** A process that is stopped some milliseconds after its begin, and leaves its call. */
export interface Stop {
  readonly leavesAfter: number
}

/** A call that was held by one process after the other. */
export interface CrashedCall {
  readonly report: CallReport
  /** All text that was sent, and what was heard. */
  readonly sent: string
  readonly heard: string
  /** Number of times that the tool ran. */
  readonly bookings: number
  readonly writes: number
  readonly processes: number
  /** Milliseconds from each end of a process until the next words of the agent arrived. */
  readonly gaps: ReadonlyArray<number>
}

const versionWith = (tool: object): AgentVersion =>
  Schema.decodeUnknownSync(AgentVersion)({
    app_version: 1,
    committed: true,
    first_message: "Hello, how can I help you?",
    tools: [{ name: "book", description: "Books a table", ...tool }]
  })

const useTool = (name: string): ReadonlyArray<FakeStep> => [
  sends({ _tag: "ToolStart", index: 0, id: "call-1", name }, { _tag: "ToolArgs", index: 0, text: "{}" })
]

/** Words of the agent in a situation, in clauses, and the tool that it uses with them. */
const answerTo = (text: string): { readonly clauses: ReadonlyArray<string>; readonly tool?: string } => {
  if (text === "Book a table") {
    return { clauses: ["I will do that for you now.", "It takes a moment."], tool: "book" }
  }
  if (text === "booked") return { clauses: ["Your table is booked for eight.", "Do you need anything else?"] }
  if (text.startsWith("It is not known")) return { clauses: ["I could not find out.", "Do you need anything else?"] }
  return { clauses: ["Goodbye then."], tool: "end_call" }
}

/** A model that goes on after an answer that was cut off. */
const respond = ({ messages }: ModelRequest): ReadonlyArray<FakeStep> => {
  const isNote = messages.at(-1)?.role === "system"
  const before = isNote ? messages.slice(0, -1) : messages
  const said = isNote ? messageText(before.at(-1) ?? { role: "system", content: "" }) : ""
  const asked = before.findLast(({ role }) => role === "user" || role === "tool")
  const { clauses, tool } = answerTo(asked === undefined ? "" : messageText(asked))
  const rest = clauses.filter((clause) => !said.includes(clause))
  const spoken = rest.flatMap((clause) => [waits("80 millis"), ...says(`${clause} `)])
  return [...spoken, ...tool === undefined ? [] : useTool(tool), ...answers()]
}

const model = LanguageModel.of({
  ...fakeModel([[]]),
  stream: (request) => fakeModel([respond(request)]).stream(request)
})

/** Conditions of a call whose processes die. */
interface Conditions {
  /** True when the tool may run again; false by default. */
  readonly isRepeatable?: boolean
  /** Time until a process that has died is followed by another one, in milliseconds; 300 by default. */
  readonly restartMillis?: number
  /** Time until the provider tells a process what has happened, in milliseconds; 1 by default. */
  readonly replayMillis?: number
}

/** The format of the line. */
export const format: WordsFormat = {
  _tag: "Words",
  language: "en-IN",
  reconnectMillis: 15_000,
  tellsVoice: true,
  guesses: false,
  textToken: (token, options) => JSON.stringify({ type: "text", token, ...options })
}

/** Holds a call whose processes crash at some writes, or are stopped; the first end is that of the first process. */
export const holdCall = (
  ends: ReadonlyArray<Crash | CrashAtEnd | Stop>,
  { isRepeatable = false, replayMillis = 1, restartMillis = 300 }: Conditions = {}
): Effect.Effect<CrashedCall> =>
  Effect.gen(function*() {
    const world = yield* makeRelayWorld(["Book a table", "No thank you"], replayMillis)
    const runtime = yield* Effect.runtime()
    const stored: Array<{ readonly log: "step" | "line"; readonly text: string }> = []
    let [bookings, writes, processes] = [0, 0, 0]

    const live = (end: Crash | CrashAtEnd | Stop | undefined) =>
      Effect.gen(function*() {
        const crash = end !== undefined && "write" in end ? end : undefined
        const leavesAfter = end !== undefined && "leavesAfter" in end ? end.leavesAfter : null
        const died = yield* Deferred.make<never, "died">()
        const first = writes
        let isAlive = true
        let tools = 0
        processes += 1
        const relay = makeRelayLeg({
          format,
          deadlineMillis: null,
          onEnd: () => {
            if (end === undefined || !("at" in end)) return Effect.void
            return Effect.zipRight(Effect.sync(() => crashNow()), Effect.sleep("1 second"))
          },
          onLeave: Effect.sync(() => die()),
          later: (millis, act) => {
            const fiber = Runtime.runFork(runtime)(Effect.delay(Effect.sync(() => isAlive && act()), millis))
            return () => void Runtime.runFork(runtime)(Fiber.interrupt(fiber))
          }
        })
        const { die, socket } = world.connect((text) => isAlive && relay.receive(text))
        relay.use(socket)
        const crashNow = (): void => {
          isAlive = false
          die()
          Deferred.unsafeDone(died, Effect.fail("died"))
        }
        /** Goes on a moment later, in which other fibers run; never in a process that has died. */
        const aliveLater = Effect.zipRight(
          Effect.yieldNow(),
          Effect.suspend(() => isAlive ? Effect.void : Effect.never)
        )
        const logOf = (log: "step" | "line"): CallLog => {
          const write = (text: string): void => {
            if (!isAlive) return
            const isCrash = crash !== undefined && writes - first === crash.write
            writes += 1
            if (isCrash && crash.when === "before") return crashNow()
            stored.push({ log, text })
            if (isCrash) crashNow()
          }
          return {
            past: stored.flatMap((entry) => entry.log === log ? [entry.text] : []),
            note: write,
            keep: (text) => Effect.zipRight(Effect.sync(() => write(text)), aliveLater),
            stay: (tool) =>
              Effect.acquireUseRelease(
                Effect.sync(() => void (tools += 1)),
                () => tool,
                () => Effect.sync(() => void (tools -= 1))
              )
          }
        }
        const handlers: ToolHandlers = {
          book: () =>
            Effect.suspend(() => {
              if (!isAlive) return Effect.never
              bookings += 1
              return Effect.as(aliveLater, { content: "booked" })
            })
        }
        relay.leg.continuity?.keepIn(logOf("line"))
        const held = Effect.gen(function*() {
          const { conclude, handle } = yield* CallHandler
          const brief = { ...testCallBrief, log: logOf("step") }
          if (!world.isOver()) return yield* handle(relay.leg, brief)
          const concluded = yield* conclude?.(brief) ?? Effect.succeedNone
          return Option.getOrThrow(concluded).report
        }).pipe(
          Effect.provide(Conversation.layer.pipe(Layer.provide([
            AgentCatalog.layerOf([
              new Agent({
                app_id: testCallBrief.app_id,
                versions: [versionWith(isRepeatable ? { repeatable: true } : {})]
              })
            ]),
            Layer.succeed(LanguageModel, model),
            AgentTools.layerOf(handlers)
          ]))),
          Effect.orDie
        )
        const toolsAreOver = Effect.repeat(Effect.delay(Effect.sync(() => tools), "1 millis"), {
          until: (some) => some === 0
        })
        const leave = Effect.gen(function*() {
          yield* Effect.sleep(leavesAfter ?? 0)
          yield* toolsAreOver
          yield* relay.leg.continuity?.leave ?? Effect.void
          isAlive = false
          return yield* Effect.fail("died" as const)
        })
        const stopped = leavesAfter === null ? Deferred.await(died) : leave
        return yield* Effect.option(Effect.raceFirst(held, stopped))
      })

    let left = ends
    const deaths: Array<number> = []
    let report = yield* live(left[0])
    while (Option.isNone(report)) {
      deaths.push(yield* Clock.currentTimeMillis)
      left = left.slice(1)
      yield* Effect.sleep(restartMillis)
      report = yield* live(left[0])
    }
    const heard = world.heard.join(" ").replace(/\s+/g, " ").trim()
    const gaps = deaths.flatMap((death) => {
      const next = world.wordsAt.find((at) => at > death)
      return next === undefined ? [] : [next - death]
    })
    return { report: report.value, sent: world.sent(), heard, bookings, writes, processes, gaps }
  })
