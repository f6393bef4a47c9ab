import { BusinessTime, timeoutAt } from "@trunkline/kernel"
import type { Leg } from "@trunkline/telephony"
import { Effect, Fiber } from "effect"
import { executeTools, type ToolRun } from "./HostTools.js"
import { guardTools } from "./Resumption.js"
import type { CallState, FlowCommand, FlowEvent } from "./state/CallState.js"
import type { CutOffWork, StepLog } from "./state/StepLog.js"
import { isLineTool } from "./tools/LineTools.js"
import type { SpokenFiller } from "./tools/ToolOutcome.js"

/** The parts of a conversation that tools need. */
export interface ToolParts extends Pick<ToolRun, "plan" | "handlers" | "onOutcome"> {
  readonly leg: Leg
  /** Log of a conversation that can go on in another process; absent for any other. */
  readonly log?: StepLog | undefined
  /** Work that a process that stopped had done already; absent, or null, for tools that begin. */
  readonly past?: CutOffWork | null
}

/** Executes tools. When they take long, the agent says so meanwhile, unless the caller holds the call. */
export const runTools = (
  { handlers, leg, log, onOutcome, past = null, plan }: ToolParts,
  state: CallState,
  { filler, uses }: Extract<FlowCommand, { readonly _tag: "UseTools" }>
): Effect.Effect<FlowEvent> => {
  const { after, every, language_name, text } = filler
  const fill = Effect.flatMap(
    BusinessTime.now,
    (since): Effect.Effect<SpokenFiller | null> =>
      leg.isHeld?.() === true || text === "" ?
        Effect.succeed(null) :
        leg.say({ text, language_name, interruptible: every === undefined })
          .pipe(
            Effect.map((spoken) => ({ ...filler, since, spoken })),
            Effect.catchAll(() => Effect.succeed(null))
          )
  )
  /** Says the words again and again to a caller on hold; what was said first counts. */
  const fillAgain: Effect.Effect<never> = every === undefined || text === ""
    ? Effect.never
    : Effect.zipRight(BusinessTime.sleep(every), Effect.suspend(() => Effect.zipRight(fill, fillAgain)))
  const guard = log && guardTools(plan, log, past)
  // A transfer rings and speaks, which is a part of the call.
  const takesCallTime = uses.some(({ request }) => isLineTool(plan.version, request.name))
  const execution = executeTools({ leg, plan, handlers, onOutcome, state, uses, guard })
  return Effect.flatMap(BusinessTime.now, (now) =>
    Effect.acquireUseRelease(
      Effect.fork(Effect.interruptible(takesCallTime ? execution : BusinessTime.hold(execution))),
      (tools) =>
        Fiber.await(tools).pipe(
          Effect.as(null),
          timeoutAt(now + after, fill),
          Effect.tap((filler) => filler === null ? Effect.void : Effect.raceFirst(Fiber.await(tools), fillAgain)),
          Effect.flatMap((filler) =>
            Effect.map(
              Fiber.join(tools),
              (outcomes): FlowEvent => ({ _tag: "ToolsAnswered", outcomes, filler })
            )
          )
        ),
      Fiber.interruptFork
    ))
}
