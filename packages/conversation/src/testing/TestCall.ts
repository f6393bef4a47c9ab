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
import { Duration, Effect, Layer } from "effect"
import { Conversation } from "../Conversation.js"
import type { ConversationOptions } from "../state/ConversationOptions.js"

/** One action of the scripted callee. */
export interface CalleeLine {
  /** The text they say; absent with `press` or `hangUp` alone. */
  readonly say?: string
  /** The text in English, when it is in another language. */
  readonly english?: string
  /** English name of the language; absent: unknown. */
  readonly language?: string
  /** Keys that they press instead. */
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
  /** Entries of the callee begin to be secret, or are no longer. */
  | { readonly _tag: "Secrecy"; readonly at: number; readonly isSecret: boolean }
  /** The agent of this id speaks from now on. */
  | { readonly _tag: "Voice"; readonly at: number; readonly app_id: AppId }
  /** The agent tried to speak or to listen after the call had ended. */
  | { readonly _tag: "Refused"; readonly at: number }

/** A line to a scripted callee. */
export interface ScriptedLeg {
  readonly leg: Leg
  /** All events so far, in order. */
  readonly log: Effect.Effect<ReadonlyArray<LegEvent>>
}

const wordsOf = (text: string): ReadonlyArray<string> => text.match(/\S+\s*/g) ?? []

const silent: Heard = { _tag: "Silent" }

/**
 * A callee who says the given lines, one whenever the agent listens, to test agents without a phone network. All times are
 * business time: on `VirtualClock` a call takes no real time.
 */
export const scriptedLeg = (
  lines: ReadonlyArray<string | CalleeLine>,
  options: ScriptedLegOptions = {}
): Effect.Effect<ScriptedLeg> =>
  Effect.map(BusinessTime.now, (answeredAt) => {
    const { atEnd = "silent", delay = "1 second", hangUpAfter, wordsPerSecond = 3 } = options
    const hangsUpAt = hangUpAfter === undefined ? Infinity : answeredAt + Duration.toMillis(hangUpAfter)
    const log: Array<LegEvent> = []
    let lineIndex = 0
    /** Silence of the callee before the next line so far, in milliseconds. */
    let waitTime = 0
    let endedBy: EndedBy | null = null

    const nextLine = (): CalleeLine | undefined => {
      const line = lines[lineIndex]
      return typeof line === "string" ? { say: line } : line
    }

    const end = (by: EndedBy, at: number): void => {
      if (endedBy !== null) return
      endedBy = by
      log.push({ _tag: "Ended", by, at })
    }

    const hungUp = (at: number): Effect.Effect<never, LegEnded> => {
      end("user", at)
      return new LegEnded({ by: "user" })
    }

    /** Runs an operation of the agent now, if the call still goes on. */
    const whileConnected = <A>(operation: (at: number) => Effect.Effect<A, LegEnded>): Effect.Effect<A, LegEnded> =>
      Effect.flatMap(BusinessTime.now, (at) => {
        if (endedBy === null) return operation(at)
        log.push({ _tag: "Refused", at })
        return new LegEnded({ by: endedBy })
      })

    /** Continues so many milliseconds after a moment, unless the callee hangs up before. */
    const after = <A>(
      from: number,
      millis: number,
      operation: (at: number) => Effect.Effect<A, LegEnded>
    ): Effect.Effect<A, LegEnded> => {
      const until = from + millis
      return Effect.zipRight(
        BusinessTime.sleepUntil(Math.min(until, hangsUpAt)),
        Effect.flatMap(BusinessTime.now, (at) => until >= hangsUpAt ? hungUp(at) : operation(at))
      )
    }

    const say: Leg["say"] = ({ interruptible, language_name, text }) =>
      whileConnected((startedAt) => {
        log.push({ _tag: "Say", text, language_name, at: startedAt })
        const line = nextLine()
        const words = wordsOf(text)
        const share = interruptible || line?.hangUp === true ? line?.interruptAt ?? 1 : 1
        const count = Math.floor(words.length * Math.min(1, Math.max(0, share)))
        return after(startedAt, count / wordsPerSecond * 1000, (at) => {
          if (count < words.length && line?.hangUp === true && line.say === undefined) return hungUp(at)
          const heardText = words.slice(0, count).join("").trimEnd()
          log.push({ _tag: "Spoken", heard: heardText, at })
          return Effect.succeed({ heard: count === words.length ? text : heardText, interrupted: count < words.length })
        })
      })

    const perform = (line: CalleeLine, at: number): Effect.Effect<Heard, LegEnded> => {
      lineIndex += 1
      waitTime = 0
      const text = line.say ?? line.press
      if (text === undefined) return line.hangUp === true ? hungUp(at) : Effect.succeed(silent)
      log.push({ _tag: "Answer", text, at })
      if (line.hangUp === true) end("user", at)
      return Effect.succeed(
        line.say === undefined
          ? { _tag: "Pressed", digit: text }
          : { _tag: "Said", text, en_text: line.english ?? null, language_name: line.language ?? null }
      )
    }

    const listen: Leg["listen"] = (silence) =>
      whileConnected((from) => {
        const line = nextLine()
        if (line === undefined && atEnd === "hangUp") return hungUp(from)
        const timeout = Duration.toMillis(silence)
        const usual = line?.interruptAt === undefined ? delay : 0
        const pause = line === undefined ? Infinity : Duration.toMillis(line.after ?? usual) - waitTime
        if (line !== undefined && pause <= timeout) return after(from, pause, (at) => perform(line, at))
        return after(from, timeout, () => {
          waitTime += timeout
          return Effect.succeed(silent)
        })
      })

    return {
      leg: {
        say,
        listen,
        secrecy: (isSecret) => Effect.map(BusinessTime.now, (at) => void log.push({ _tag: "Secrecy", isSecret, at })),
        speakAs: ({ app_id }) => Effect.map(BusinessTime.now, (at) => void log.push({ _tag: "Voice", app_id, at })),
        hangUp: Effect.map(BusinessTime.now, (at) => end("agent", at))
      },
      log: Effect.sync(() => [...log])
    }
  })

/** A test call with a scripted callee. */
export interface TestCall extends ScriptedLegOptions {
  readonly version: AgentVersion
  /** Other agents, to which the call may be handed over. */
  readonly others?: ReadonlyArray<Agent>
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
  { brief, conversation, lines, others = [], version, ...line }: TestCall
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
        AgentCatalog.layerOf([new Agent({ app_id, versions: [version] }), ...others])
      )
    )
  )
