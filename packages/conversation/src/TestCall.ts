import { Agent, AgentCatalog, type AgentVersion } from "@trunkline/agents"
import { AppId, AttemptId, BusinessTime, OrgId, PhoneNumber, Scope, WorkspaceId } from "@trunkline/kernel"
import type { LanguageModel } from "@trunkline/models"
import {
  type CallBrief,
  type CallFault,
  CallHandler,
  type CallReport,
  type EndedBy,
  type Heard,
  type Leg,
  LegEnded
} from "@trunkline/telephony"
import { Duration, Effect, Layer, Ref } from "effect"
import { Conversation } from "./Conversation.js"
import type { ConversationOptions } from "./ConversationOptions.js"

/** One action of the scripted callee. */
export interface CalleeLine {
  /** The text they say; absent with `press` or `hangUp` alone. */
  readonly say?: string
  /** The text in English, when it is in another language. */
  readonly english?: string
  /** English name of the language; absent: unknown. */
  readonly language?: string
  /** A key that they press instead. */
  readonly press?: string
  /** Pause before the action. */
  readonly after?: Duration.DurationInput
  /** Interrupts the agent after this share of its words, 0 to 1. */
  readonly interruptAt?: number
  /** Hangs up: after speaking, or in the middle of the agent's speech with `interruptAt`. */
  readonly hangUp?: boolean
}

/** Behaviour of a scripted callee and line. */
export interface ScriptedLegOptions {
  /** Pause before lines without their own; default one second. */
  readonly delay?: Duration.DurationInput
  /** Hangs up this long after the call is answered. */
  readonly hangUpAfter?: Duration.DurationInput
  /** Behaviour after the last line; default `silent`. */
  readonly atEnd?: "silent" | "hangUp"
  /** Speaking rate of the agent; default three. */
  readonly wordsPerSecond?: number
}

/** Event of a scripted line, with its moment in epoch milliseconds. */
export type LegEvent =
  | { readonly _tag: "Say"; readonly at: number; readonly text: string; readonly language_name: string }
  | { readonly _tag: "Spoken"; readonly at: number; readonly heard: string }
  | { readonly _tag: "Answer"; readonly at: number; readonly text: string }
  | { readonly _tag: "Ended"; readonly at: number; readonly by: EndedBy }
  /** The agent tried to speak or to listen after the call had ended. */
  | { readonly _tag: "Refused"; readonly at: number }

/** A line to a scripted callee. */
export interface ScriptedLeg {
  readonly leg: Leg
  /** All events so far, in order. */
  readonly log: Effect.Effect<ReadonlyArray<LegEvent>>
}

interface LineState {
  readonly lines: ReadonlyArray<CalleeLine>
  /** Silence of the callee so far, in milliseconds. */
  readonly waited: number
  readonly endedBy: EndedBy | null
  readonly log: ReadonlyArray<LegEvent>
}

const wordsOf = (text: string): ReadonlyArray<string> => text.match(/\S+\s*/g) ?? []

/**
 * A callee who says the given lines, one whenever the agent listens, to test agents without a phone network. All times are
 * business time: on `VirtualClock` a call takes no real time.
 */
export const scriptedLeg = (
  lines: ReadonlyArray<string | CalleeLine>,
  options: ScriptedLegOptions = {}
): Effect.Effect<ScriptedLeg> =>
  Effect.gen(function*() {
    const { atEnd = "silent", delay = "1 second", wordsPerSecond = 3 } = options
    const state = yield* Ref.make<LineState>({
      lines: lines.map((line) => typeof line === "string" ? { say: line } : line),
      waited: 0,
      endedBy: null,
      log: []
    })
    const hangsUpAt = options.hangUpAfter === undefined
      ? Infinity
      : (yield* BusinessTime.now) + Duration.toMillis(options.hangUpAfter)

    const record = (event: (at: number) => LegEvent) =>
      Effect.gen(function*() {
        const entry = event(yield* BusinessTime.now)
        yield* Ref.update(state, (line) => ({ ...line, log: [...line.log, entry] }))
      })

    const end = (by: EndedBy) =>
      Effect.gen(function*() {
        if ((yield* Ref.get(state)).endedBy !== null) return
        yield* Ref.update(state, (line) => ({ ...line, endedBy: by }))
        yield* record((at) => ({ _tag: "Ended", by, at }))
      })

    const hungUp = Effect.zipRight(end("user"), Effect.fail(new LegEnded({ by: "user" })))

    const checkConnected = Effect.gen(function*() {
      const { endedBy } = yield* Ref.get(state)
      if (endedBy === null) return
      yield* record((at) => ({ _tag: "Refused", at }))
      return yield* new LegEnded({ by: endedBy })
    })

    const sleep = (millis: number) =>
      Effect.gen(function*() {
        const until = (yield* BusinessTime.now) + millis
        yield* BusinessTime.sleepUntil(Math.min(until, hangsUpAt))
        if (until >= hangsUpAt) return yield* hungUp
      })

    const say: Leg["say"] = ({ interruptible, language_name, text }) =>
      Effect.gen(function*() {
        yield* checkConnected
        yield* record((at) => ({ _tag: "Say", text, language_name, at }))
        const line = (yield* Ref.get(state)).lines[0]
        const words = wordsOf(text)
        const share = interruptible || line?.hangUp === true ? line?.interruptAt ?? 1 : 1
        const count = Math.floor(words.length * Math.min(1, Math.max(0, share)))
        yield* sleep(count / wordsPerSecond * 1000)
        if (count < words.length && line?.hangUp === true && line.say === undefined) return yield* hungUp
        const heard = words.slice(0, count).join("").trimEnd()
        yield* record((at) => ({ _tag: "Spoken", heard, at }))
        return { heard: count === words.length ? text : heard, interrupted: count < words.length }
      })

    const perform = (line: CalleeLine): Effect.Effect<Heard, LegEnded> =>
      Effect.gen(function*() {
        yield* Ref.update(state, (line) => ({ ...line, lines: line.lines.slice(1), waited: 0 }))
        const text = line.say ?? line.press
        if (text === undefined) return line.hangUp === true ? yield* hungUp : { _tag: "Silent" }
        yield* record((at) => ({ _tag: "Answer", text, at }))
        if (line.hangUp === true) yield* end("user")
        return line.say === undefined
          ? { _tag: "Pressed", digit: text }
          : { _tag: "Said", text, en_text: line.english ?? null, language_name: line.language ?? null }
      })

    const listen: Leg["listen"] = (silence) =>
      Effect.gen(function*() {
        yield* checkConnected
        const { lines: [line], waited } = yield* Ref.get(state)
        if (line === undefined && atEnd === "hangUp") return yield* hungUp
        const timeout = Duration.toMillis(silence)
        const usual = line?.interruptAt === undefined ? delay : 0
        const pause = line === undefined ? Infinity : Duration.toMillis(line.after ?? usual) - waited
        if (line !== undefined && pause <= timeout) {
          yield* sleep(pause)
          return yield* perform(line)
        }
        yield* sleep(timeout)
        yield* Ref.update(state, (line) => ({ ...line, waited: line.waited + timeout }))
        return { _tag: "Silent" }
      })

    return {
      leg: { say, listen, hangUp: end("agent") },
      log: Effect.map(Ref.get(state), ({ log }) => log)
    }
  })

/** A test call with a scripted callee. */
export interface TestCall extends ScriptedLegOptions {
  readonly version: AgentVersion
  /** The lines of the callee. */
  readonly lines: ReadonlyArray<string | CalleeLine>
  /** Changes of the call, such as its variables, direction or overrides. */
  readonly brief?: Partial<CallBrief>
  readonly conversation?: Partial<ConversationOptions>
}

/** Result of a test call: its report, and the events of its line. */
export interface TestCallResult {
  readonly report: CallReport
  readonly log: ReadonlyArray<LegEvent>
}

const app_id = AppId.make("trial")

/** Default brief of test calls: an outbound call of up to an hour. */
export const testCallBrief: CallBrief = {
  attempt_id: AttemptId.make("00000000-0000-7000-8000-000000000000"),
  scope: new Scope({ org_id: OrgId.make("trial"), workspace_id: WorkspaceId.make("trial") }),
  direction: "outbound",
  app_id,
  app_version: 1,
  user_phone_number: PhoneNumber.make("+919800000001"),
  agent_phone_number: PhoneNumber.make("+911140000001"),
  agent_variables: {},
  app_overrides: {},
  maxDuration: Duration.hours(1)
}

/** Lets a version of an agent hold a call with a scripted callee. Run it on `VirtualClock`. */
export const runTestCall = (
  { brief, conversation, lines, version, ...line }: TestCall
): Effect.Effect<TestCallResult, CallFault, LanguageModel> =>
  Effect.gen(function*() {
    const { leg, log } = yield* scriptedLeg(lines, line)
    const handler = yield* CallHandler
    const report = yield* handler.handle(leg, { ...testCallBrief, app_version: version.app_version, ...brief })
    return { report, log: yield* log }
  }).pipe(
    Effect.provide(
      Layer.provide(
        Conversation.layerWith(conversation ?? {}),
        AgentCatalog.layerOf([new Agent({ app_id, versions: [version] })])
      )
    )
  )
