import type { ToolHandlers } from "@trunkline/agents"
import { BusinessTime, logFailure, timeoutAfter } from "@trunkline/kernel"
import type { LanguageModel, ModelFailure, ModelRequest } from "@trunkline/models"
import type { Heard, Leg, LegEnded } from "@trunkline/telephony"
import { type Cause, Duration, Effect } from "effect"
import { withLastWords } from "./CallerWords.js"
import {
  type CallEvent,
  type CallPlan,
  type CallState,
  type Command,
  currentVariables,
  initialState
} from "./CallState.js"
import { ConversationWatch } from "./ConversationWatch.js"
import { executeTools } from "./HostTools.js"
import { step } from "./Step.js"
import { modelTimedOut, speakReply } from "./StreamedReply.js"
import { makeTurnSpans } from "./TurnSpans.js"

/** The parts of a conversation. */
export interface ConversationParts {
  readonly plan: CallPlan
  readonly leg: Leg
  readonly model: LanguageModel["Type"]
  readonly handlers: ToolHandlers
}

type Executable = Exclude<Command, { readonly _tag: "Finish" }>

const lineEnded = ({ by }: LegEnded): Effect.Effect<CallEvent> => Effect.succeed({ _tag: "LineEnded", by })

const timedOut = Effect.suspend(modelTimedOut)

const modelFailed = (cause: Cause.Cause<ModelFailure>): Effect.Effect<CallEvent> =>
  Effect.map(logFailure("A language model failed", cause), (reason) => ({ _tag: "ModelFailed", reason }))

const reply = (...parts: Parameters<typeof speakReply>): Effect.Effect<CallEvent> =>
  speakReply(...parts).pipe(
    Effect.map((reply): CallEvent => ({ _tag: "Replied", reply })),
    Effect.catchTag("LegEnded", lineEnded),
    Effect.catchAllCause(modelFailed)
  )

/** True when the model is asked again, after tools: the caller may have spoken since the agent listened. */
const isAskedAgain = ({ beforeTurn, messages }: CallState): boolean => beforeTurn?.messages === messages

/** Asks the model, unless the caller has spoken meanwhile. */
const answer = (parts: ConversationParts, state: CallState, request: ModelRequest): Effect.Effect<CallEvent> => {
  const answered = reply(parts, state, request)
  if (!isAskedAgain(state)) return answered
  return Effect.matchEffect(parts.leg.listen(Duration.zero), {
    onFailure: lineEnded,
    onSuccess: (heard): Effect.Effect<CallEvent> =>
      heard._tag === "Silent" ? answered : Effect.succeed({ _tag: "Heard", heard })
  })
}

/** Executes a command and returns the next event. */
const perform = (
  parts: ConversationParts,
  state: CallState,
  command: Executable
): Effect.Effect<CallEvent> => {
  const { handlers, leg, model, plan } = parts
  switch (command._tag) {
    case "Say":
      return leg.say(command.utterance).pipe(
        Effect.map((spoken): CallEvent => ({ _tag: "Spoke", spoken })),
        Effect.catchAll(lineEnded)
      )
    case "Listen":
      return leg.listen(command.silence).pipe(
        Effect.map((heard): CallEvent => ({ _tag: "Heard", heard })),
        Effect.catchAll(lineEnded)
      )
    case "Think":
      if (leg.streams === true) return answer(parts, state, command.request)
      return model.generate(command.request).pipe(
        timeoutAfter(plan.options.timeout, timedOut),
        BusinessTime.hold,
        Effect.map((completion): CallEvent => ({ _tag: "Thought", completion })),
        Effect.catchAllCause(modelFailed)
      )
    case "UseTools":
      return executeTools({ handlers, plan, state, requests: command.requests }).pipe(
        BusinessTime.hold,
        Effect.map((outcomes): CallEvent => ({ _tag: "ToolsAnswered", outcomes }))
      )
    case "HangUp":
      return Effect.as(leg.hangUp, { _tag: "HungUp" })
  }
}

const wentOn: CallEvent = { _tag: "WentOn" }

const isEnding = ({ _tag }: Command): boolean => _tag === "HangUp" || _tag === "Finish"

const isSpeaking = ({ _tag }: Command): boolean => _tag === "Say" || _tag === "Think"

/** Words and keys of a call that has ended, which nobody has listened to. */
const lastHeard = (leg: Leg): Effect.Effect<ReadonlyArray<Heard>> =>
  leg.streams !== true ? Effect.succeed([]) : Effect.matchEffect(leg.listen(Duration.zero), {
    onFailure: () => Effect.succeed([]),
    onSuccess: (heard) =>
      heard._tag === "Silent" ? Effect.succeed([]) : Effect.map(lastHeard(leg), (more) => [heard, ...more])
  })

/** Time in which a leg with sound tells what was heard of an utterance that ends with the call. */
const lastWords = Duration.seconds(1)

/** Executes a command unless the caller goes on before the answer. */
const performUntilWentOn = (
  parts: ConversationParts,
  state: CallState,
  command: Executable
): Effect.Effect<CallEvent> => {
  const done = perform(parts, state, command)
  const { goesOn } = parts.leg
  return goesOn === undefined || state.beforeTurn === null || command._tag === "UseTools"
    ? done
    : Effect.raceFirst(done, Effect.as(goesOn, wentOn))
}

/** Waits until a moment of business time, also when the clock is set back meanwhile. */
const waitUntil = (at: number): Effect.Effect<void> =>
  Effect.flatMap(
    Effect.zipRight(BusinessTime.sleepUntil(at), BusinessTime.now),
    (now) => now >= at ? Effect.void : waitUntil(at)
  )

/**
 * Holds a conversation and returns its final state. Closes the line in any case.
 *
 * One fiber goes from command to command. Beside it another one waits for the end of the time: listening ends when it is
 * time to say goodbye, all other commands end with the call.
 */
export const converse = (parts: ConversationParts): Effect.Effect<CallState> =>
  Effect.flatMap(Effect.zip(makeTurnSpans, ConversationWatch), ([spans, watch]) => {
    const { leg, plan } = parts
    let next = step(plan, initialState(plan), { _tag: "Answered" }, plan.startedAt)

    const advance = (event: CallEvent): Effect.Effect<void> =>
      Effect.map(BusinessTime.now, (now) => {
        next = step(plan, next.state, event, now)
        const { outputs, script, turns } = next.state
        watch?.({ turns, variables: currentVariables(plan, next.state), outputs, step: script.step })
      })

    const performNext = (): Effect.Effect<void> => {
      const { command, state } = next
      return command._tag === "Finish"
        ? Effect.void
        : Effect.flatMap(spans.within(next, performUntilWentOn(parts, state, command)), advance)
    }

    const performAll = Effect.whileLoop({
      while: () => next.command._tag !== "Finish",
      body: performNext,
      step: () => {}
    })

    const hangUpSpeaking = Effect.zipRight(leg.hangUp, BusinessTime.sleep(lastWords))
    const untilEnd = Effect.zipRight(
      waitUntil(plan.endAt),
      Effect.suspend(() => {
        if (isEnding(next.command)) return Effect.never
        return leg.streams === true && isSpeaking(next.command) ? hangUpSpeaking : Effect.void
      })
    )
    const timeUp = Effect.zipRight(
      waitUntil(plan.closeAt),
      Effect.suspend(() => next.command._tag === "Listen" ? Effect.void : untilEnd)
    )

    const performInTime: Effect.Effect<CallState> = Effect.flatMap(
      Effect.raceFirst(performAll, timeUp),
      () =>
        next.command._tag === "Finish"
          ? Effect.succeed(next.state)
          : Effect.zipRight(advance({ _tag: "TimeUp" }), performInTime)
    )
    const withLast = (state: CallState): Effect.Effect<CallState> =>
      Effect.zipWith(
        timeoutAfter(lastWords, Effect.succeed<ReadonlyArray<Heard>>([]))(lastHeard(leg)),
        BusinessTime.now,
        (heard, now) => withLastWords(state, heard, now)
      )
    return Effect.flatMap(performInTime, withLast).pipe(Effect.ensuring(Effect.sync(() => spans.end(next.state))))
  }).pipe(Effect.ensuring(parts.leg.hangUp))
