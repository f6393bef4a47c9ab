import type { ToolHandlers } from "@trunkline/agents"
import { BusinessTime, logFailure, timeoutAfter } from "@trunkline/kernel"
import type { LanguageModel, ModelFailure, ModelRequest } from "@trunkline/models"
import type { BegunUtterance, Heard, Leg, LegEnded } from "@trunkline/telephony"
import { type Cause, Duration, Effect } from "effect"
import { makeLegSignals } from "./actions/LegSignals.js"
import { planOf } from "./actions/Team.js"
import { endAnswer, replay, resumeLeg } from "./Resumption.js"
import { runTools, type ToolParts } from "./RunTools.js"
import { withLastWords } from "./state/CallerWords.js"
import {
  type CallPlan,
  type CallState,
  currentVariables,
  type FlowCommand,
  type FlowEvent,
  initialState
} from "./state/CallState.js"
import type { ConversationTape } from "./state/ConversationTape.js"
import { ConversationWatch } from "./state/ConversationWatch.js"
import type { ModelInputs } from "./state/ModelInputs.js"
import type { PastConversation, StepLog } from "./state/StepLog.js"
import { makeTurnSpans } from "./state/TurnSpans.js"
import { step } from "./Step.js"
import { modelTimedOut, speakReply } from "./StreamedReply.js"
import type { ToolOutcome } from "./tools/ToolOutcome.js"

/** The parts of a conversation. */
export interface ConversationParts {
  readonly plan: CallPlan
  readonly leg: Leg
  readonly model: LanguageModel["Type"]
  /** Handlers of the tools of the agent that has the call. */
  readonly handlersOf: (plan: CallPlan) => ToolHandlers
  readonly inputs: ModelInputs
  /** Log of a conversation that can go on in another process; absent for any other. */
  readonly log?: StepLog | undefined
  /** Tape that takes all that goes into it; absent, or null, without one. */
  readonly tape?: ConversationTape | null
  /** Past of a conversation that goes on; absent, or null, for one that begins. */
  readonly past?: PastConversation | null
}

/** The parts, and who is told of the outcomes of tools before all of them have answered. */
type RunningParts = ConversationParts & Pick<ToolParts, "onOutcome">

type Executable = Exclude<FlowCommand, { readonly _tag: "Finish" }>

const lineEnded = ({ by }: LegEnded): Effect.Effect<FlowEvent> => Effect.succeed({ _tag: "LineEnded", by })

const timedOut = Effect.suspend(modelTimedOut)

const modelFailed = (cause: Cause.Cause<ModelFailure>): Effect.Effect<FlowEvent> =>
  Effect.map(logFailure("A language model failed", cause), (reason) => ({ _tag: "ModelFailed", reason }))

const reply = (...parts: Parameters<typeof speakReply>): Effect.Effect<FlowEvent> =>
  speakReply(...parts).pipe(
    Effect.map((reply): FlowEvent => ({ _tag: "Replied", reply })),
    Effect.catchTag("LegEnded", lineEnded),
    Effect.catchAllCause(modelFailed)
  )

/** Longest time that a summary may take. */
const summaryTimeout = Duration.seconds(8)

/** Asks the model for a summary. Without one the call is handed over with its last turns. */
const summarise = ({ model }: ConversationParts, request: ModelRequest): Effect.Effect<FlowEvent> =>
  model.generate(request).pipe(
    timeoutAfter(summaryTimeout, timedOut),
    BusinessTime.hold,
    Effect.map(({ text }) => text.trim() === "" ? null : text.trim()),
    Effect.catchAllCause((cause) => Effect.as(logFailure("A conversation could not be summarised", cause), null)),
    Effect.map((summary): FlowEvent => ({ _tag: "Summarised", summary }))
  )

/** True when the model is asked again, after tools: the caller may have spoken since the agent listened. */
const isAskedAgain = ({ beforeTurn, messages }: CallState): boolean => beforeTurn?.messages === messages

/** Asks the model, unless the caller has spoken meanwhile. */
const answer = (parts: ConversationParts, state: CallState, request: ModelRequest): Effect.Effect<FlowEvent> => {
  const response = reply(parts, state, request)
  if (!isAskedAgain(state)) return response
  return Effect.matchEffect(parts.leg.listen(Duration.zero), {
    onFailure: lineEnded,
    onSuccess: (input): Effect.Effect<FlowEvent> =>
      input._tag === "Silent" ? response : Effect.succeed({ _tag: "Heard", heard: input })
  })
}

/** Executes a command and returns the next event. */
const perform = (
  call: RunningParts,
  state: CallState,
  command: Executable
): Effect.Effect<FlowEvent> => {
  const parts = { ...call, plan: planOf(call.plan, state) }
  const { leg, log, model, plan } = parts
  switch (command._tag) {
    case "Say":
      return leg.say(log === undefined ? command.utterance : { ...command.utterance, number: log.events() }).pipe(
        Effect.map((spoken): FlowEvent => ({ _tag: "Spoke", spoken })),
        Effect.catchAll(lineEnded)
      )
    case "Listen":
      return leg.listen(command.silence).pipe(
        Effect.map((input): FlowEvent => ({ _tag: "Heard", heard: input })),
        Effect.catchAll(lineEnded)
      )
    case "Think":
      if (leg.streams === true) return answer(parts, state, command.request)
      return model.generate(command.request).pipe(
        timeoutAfter(plan.options.timeout, timedOut),
        BusinessTime.hold,
        Effect.map((completion): FlowEvent => ({ _tag: "Thought", completion })),
        Effect.catchAllCause(modelFailed)
      )
    case "UseTools":
      return runTools({ ...parts, handlers: parts.handlersOf(plan) }, state, command)
    case "Summarise":
      return summarise(parts, command.request)
    case "HangUp":
      return Effect.as(Effect.zipRight(log?.end ?? Effect.void, leg.hangUp), { _tag: "HungUp" })
  }
}

/** Executes the command that was cut off when its process stopped. */
const performAgain = (
  { past, ...parts }: RunningParts & { readonly past: PastConversation },
  state: CallState,
  command: Executable,
  begunUtterance: BegunUtterance | null
): Effect.Effect<FlowEvent> =>
  command._tag === "Think" && begunUtterance !== null
    ? Effect.catchAll(endAnswer(parts.leg, state, begunUtterance, past), lineEnded)
    : perform({ ...parts, past }, state, command)

const wentOn: FlowEvent = { _tag: "WentOn" }

const isEnding = ({ _tag }: FlowCommand): boolean => _tag === "HangUp" || _tag === "Finish"

const isSpeaking = ({ _tag }: FlowCommand): boolean => _tag === "Say" || _tag === "Think"

/** Words and keys of a call that has ended, which nobody has listened to. */
const lastHeard = (leg: Leg): Effect.Effect<ReadonlyArray<Heard>> =>
  leg.streams !== true ? Effect.succeed([]) : Effect.matchEffect(leg.listen(Duration.zero), {
    onFailure: () => Effect.succeed([]),
    onSuccess: (input) =>
      input._tag === "Silent" ? Effect.succeed([]) : Effect.map(lastHeard(leg), (more) => [input, ...more])
  })

/** Time in which a leg with sound tells what was heard of an utterance that ends with the call. */
const lastWords = Duration.seconds(1)

/** Executes a command unless the caller goes on before the answer. */
const performUntilWentOn = (
  parts: ConversationParts,
  state: CallState,
  command: Executable,
  execution: Effect.Effect<FlowEvent>
): Effect.Effect<FlowEvent> => {
  const { goesOn } = parts.leg
  return goesOn === undefined || state.beforeTurn === null || command._tag === "UseTools"
    ? execution
    : Effect.raceFirst(execution, Effect.as(goesOn, wentOn))
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
    const { leg, log, past = null, plan, tape = null } = parts
    const signals = makeLegSignals(leg, plan)
    let next = past === null
      ? step(plan, initialState(plan), { _tag: "Answered" }, plan.startedAt)
      : replay(plan, past)
    let start = past === null ? null : resumeLeg(leg, past)
    let isCutOff = past !== null
    let outcomes: ReadonlyArray<ToolOutcome> = []
    const running: RunningParts = { ...parts, onOutcome: (outcome) => outcomes = [...outcomes, outcome] }

    const advance = (event: FlowEvent): Effect.Effect<void> =>
      Effect.map(BusinessTime.now, (now) => {
        for (const recorder of [log, tape]) recorder?.event(signals.withoutSecrets(event), now)
        outcomes = []
        next = step(plan, next.state, event, now)
        const { outputs, script, turns } = next.state
        const inputs = parts.inputs.all()
        watch?.({ turns, variables: currentVariables(plan, next.state), outputs, step: script.step, inputs })
      })

    const performNext = (): Effect.Effect<void> => {
      const { command, state } = next
      if (command._tag === "Finish") return Effect.void
      const work = isCutOff && past !== null
        ? performAgain({ ...running, past }, state, command, start)
        : perform({ ...running, past: null }, state, command)
      isCutOff = false
      start = null
      const action = parts.inputs.record(next, performUntilWentOn(parts, state, command, work))
      return Effect.zipRight(signals.before(state), Effect.flatMap(spans.within(next, action), advance))
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
          : Effect.zipRight(Effect.suspend(() => advance({ _tag: "TimeUp", outcomes })), performInTime)
    )
    const withLast = (state: CallState): Effect.Effect<CallState> =>
      Effect.zipWith(
        timeoutAfter(lastWords, Effect.succeed<ReadonlyArray<Heard>>([]))(lastHeard(leg)),
        BusinessTime.now,
        (input, now) => {
          if (!signals.isSecret()) tape?.lastWords(input, now)
          return signals.isSecret() ? state : withLastWords(state, input, now)
        }
      )
    return Effect.flatMap(performInTime, withLast).pipe(Effect.ensuring(Effect.sync(() => spans.end(next.state))))
  }).pipe(Effect.ensuring(parts.leg.hangUp))
