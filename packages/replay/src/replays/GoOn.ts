import { knowledgeToolsOf, recordingToolsOf, ToolFailed, type ToolHandlers } from "@trunkline/agents"
import { type CallPlan, type CallState, converse, noCutOffWork, noModelInputs } from "@trunkline/conversation/steps"
import { ModelFailed } from "@trunkline/errors"
import { timeoutAfter, VirtualClock } from "@trunkline/kernel"
import type { Completion, Model, ModelRequest } from "@trunkline/models"
import { Clock, Deferred, Effect, Stream } from "effect"
import type { CallTrace } from "../trace/CallTrace.js"
import { fingerprintOf } from "../trace/Fingerprint.js"
import { aside } from "./Aside.js"
import type { Followed } from "./FollowTrace.js"
import type { ReplayParts } from "./ReplayParts.js"
import { type RestOfTrace, restOfTrace } from "./RestOfTrace.js"
import { tracedLeg } from "./TracedLeg.js"

/** A use of a tool that was not done. */
export interface ToolNotRun {
  readonly name: string
  /** JSON as the model wrote it. */
  readonly arguments: string
}

/** Result of a conversation that was held anew from a place in its trace. */
export interface LiveReplay {
  readonly state: CallState
  /** True when it stopped, since nothing had an answer. */
  readonly isOpen: boolean
  /** Answers of the model after the place, by where they came from, and the tokens of those of the model. */
  readonly answers: { readonly trace: number; readonly model: number }
  readonly tokens: { readonly input: number; readonly output: number }
  readonly toolsNotRun: ReadonlyArray<ToolNotRun>
  readonly callerRanOut: boolean
}

/** Tells the model about a tool that a replay does not run. */
const notRun = "This is a replay: the tool was not run. Go on as if it could not be reached."

/** Longest wait for one answer of a model, in real time. */
const modelTimeout = "60 seconds"

const realClock = Clock.make()

/** An answer of a model outside, in real time. */
export const generateOutside = (model: Model, request: ModelRequest) =>
  model.generate(request).pipe(
    timeoutAfter(modelTimeout, Effect.fail(new ModelFailed({ message: "The model did not answer within a minute" }))),
    Effect.withClock(realClock)
  )

/** Handlers that give the answers of a trace or of a mock, and note what they would have run. */
export const handlersFrom = (
  { answerOf }: Pick<RestOfTrace, "answerOf">,
  toolMock: ReplayParts["toolMock"],
  onNotRun: (tool: ToolNotRun) => void
) =>
(
  { version }: CallPlan
): ToolHandlers =>
  Object.fromEntries(
    [...knowledgeToolsOf(version), ...recordingToolsOf(version), ...version.tools].map(({ name }) => [
      name,
      (input: unknown) =>
        Effect.suspend(() => {
          const request = { name, arguments: JSON.stringify(input) }
          const answer = answerOf(request) ?? toolMock?.(request) ?? null
          if (answer?.outcome === "done") return Effect.succeed({ content: answer.content, set: answer.set })
          if (answer === null) onNotRun(request)
          return new ToolFailed({ message: answer?.content ?? notRun })
        })
    ])
  )

/**
 * Holds a conversation anew from the place where its trace holds no more, in virtual time from that moment on. Without a model it
 * stops at the first request that the trace has no answer to.
 */
export const goOn = (
  { followed, parts, plan, trace }: {
    readonly plan: CallPlan
    readonly trace: CallTrace
    readonly followed: Followed
    readonly parts: ReplayParts
  }
): Effect.Effect<LiveReplay> =>
  Effect.gen(function*() {
    const rest = restOfTrace(trace, followed.events.length)
    const stop = yield* Deferred.make<void>()
    const toolsNotRun: Array<ToolNotRun> = []
    const answers = { trace: 0, model: 0 }
    const tokens = { input: 0, output: 0 }

    const generate: Model["generate"] = (request) =>
      Effect.suspend(() => {
        const completion = rest.completionOf(fingerprintOf(request))
        if (completion !== null) {
          answers.trace += 1
          return Effect.succeed(completion)
        }
        if (parts.model === null) return Effect.zipRight(Deferred.succeed(stop, undefined), Effect.never)
        return Effect.tap(generateOutside(parts.model, request), ({ usage }: Completion) => {
          answers.model += 1
          tokens.input += usage?.inputTokens ?? 0
          tokens.output += usage?.outputTokens ?? 0
        })
      })
    const { isOver, leg } = tracedLeg(rest, (to) =>
      toolsNotRun.push({ name: "transfer_call", arguments: JSON.stringify({ to }) }))
    const conversation = aside(converse({
      plan,
      leg,
      model: {
        generate,
        stream: () =>
          Stream.die("A leg without sound asks for whole answers")
      },
      handlersOf: handlersFrom(rest, parts.toolMock, (tool) => toolsNotRun.push(tool)),
      inputs: noModelInputs,
      past: { ...noCutOffWork, startedAt: plan.startedAt, events: followed.events }
    }))
    const result = yield* VirtualClock.run(
      Effect.raceFirst(Effect.map(conversation, (state) => ({ state })), Effect.as(Deferred.await(stop), null)),
      { start: followed.divergence?.at ?? plan.startedAt }
    )
    return {
      state: result === null ? followed.step.state : result.state,
      isOpen: result === null,
      answers,
      tokens,
      toolsNotRun,
      callerRanOut: isOver()
    }
  })
