import type { ToolHandlers } from "@trunkline/agents"
import { BusinessTime } from "@trunkline/kernel"
import type { LanguageModel } from "@trunkline/models"
import type { Leg, LegEnded } from "@trunkline/telephony"
import { Cause, Effect, Option } from "effect"
import { type CallEvent, type CallPlan, callStart, type CallState, type Command } from "./CallState.js"
import { carryOut } from "./ToolUse.js"
import { step } from "./Turn.js"

/** What a conversation is held with. */
export interface Means {
  readonly plan: CallPlan
  readonly leg: Leg
  readonly model: LanguageModel["Type"]
  readonly handlers: ToolHandlers
}

type Doable = Exclude<Command, { readonly _tag: "Finish" }>

const lineEnded = ({ by }: LegEnded): Effect.Effect<CallEvent> => Effect.succeed({ _tag: "LineEnded", by })

const modelFailed: CallEvent = { _tag: "ModelFailed" }

/** The kind of a failure without its words, which may hold what callers said. */
const kindOf = (cause: Cause.Cause<{ readonly _tag: string }>): string =>
  Option.match(Cause.failureOption(cause), { onNone: () => "a defect", onSome: ({ _tag }) => _tag })

/** Carries out a command; what comes of it is the next event. */
const perform = (
  { handlers, leg, model, plan }: Means,
  state: CallState,
  command: Doable
): Effect.Effect<CallEvent> => {
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
      return model.generate(command.request).pipe(
        Effect.timeout(plan.options.patience),
        BusinessTime.hold,
        Effect.map((completion): CallEvent => ({ _tag: "Thought", completion })),
        Effect.catchAllCause((cause) =>
          Effect.as(Effect.logWarning(`A language model failed: ${kindOf(cause)}.`), modelFailed)
        )
      )
    case "UseTools":
      return carryOut({ handlers, plan, state, requests: command.requests }).pipe(
        BusinessTime.hold,
        Effect.map((outcomes): CallEvent => ({ _tag: "ToolsAnswered", outcomes }))
      )
    case "HangUp":
      return Effect.as(leg.hangUp, { _tag: "HungUp" })
  }
}

/** Listening ends when it is time to take leave, everything else at the very end of the call. */
const inTime = (means: Means, state: CallState, command: Doable): Effect.Effect<CallEvent> => {
  const done = perform(means, state, command)
  if (command._tag === "HangUp") return done
  const { closeAt, endAt } = means.plan
  const timeUp = Effect.as(
    BusinessTime.sleepUntil(command._tag === "Listen" ? closeAt : endAt),
    { _tag: "TimeUp" } as const
  )
  return Effect.raceFirst(done, timeUp)
}

/** Holds a conversation to its end; gives what is known then. The line is closed however it ends. */
export const converse = (means: Means): Effect.Effect<CallState> =>
  Effect.gen(function*() {
    const { plan } = means
    let next = step(plan, callStart(plan), { _tag: "Answered" }, plan.startedAt)
    while (true) {
      const { command, state } = next
      if (command._tag === "Finish") return state
      const event = yield* inTime(means, state, command)
      next = step(plan, state, event, yield* BusinessTime.now)
    }
  }).pipe(Effect.ensuring(means.leg.hangUp))
