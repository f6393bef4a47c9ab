// A debugged call is the list of its events. Each move of the caller adds some, until the agent listens again or the call is over.
// A step back leaves the events of the last move out, and the conversation goes on from those before: no model is asked again.

import { AgentCatalog } from "@trunkline/agents"
import { AgentTools, conversationDefaults } from "@trunkline/conversation"
import {
  converse,
  currentVariables,
  findTeam,
  noCutOffWork,
  noModelInputs,
  offeredBy,
  planCall,
  planOf
} from "@trunkline/conversation/steps"
import { scopeKey, type Variables, VirtualClock } from "@trunkline/kernel"
import type { Message, Model, ModelRequest } from "@trunkline/models"
import type { CallBrief } from "@trunkline/telephony"
import { Effect, Fiber, Stream } from "effect"
import { aside } from "../replays/Aside.js"
import { type CallSummary, summaryOf } from "../replays/CallSummary.js"
import { generateOutside, handlersFrom, type ToolNotRun } from "../replays/GoOn.js"
import type { ReplayParts } from "../replays/ReplayParts.js"
import { plainReport, stepAfter } from "../trace/PlainReport.js"
import type { TapedEvent } from "../trace/RecordTrace.js"
import { type CallerMove, type DebuggedLeg, debuggedLeg } from "./DebuggedLeg.js"

/** A line of a debugged call. */
export interface DebuggedTurn {
  readonly role: "agent" | "user" | "tool"
  readonly text: string
  /** Name and arguments of a tool. */
  readonly tool?: { readonly name: string; readonly arguments: string; readonly outcome: string }
}

/** State of a debugged call, while the agent listens or after its end. */
export interface DebuggedCall {
  readonly turns: ReadonlyArray<DebuggedTurn>
  readonly variables: Variables
  readonly outputs: Variables
  /** Id of the agent that has the call. */
  readonly app_id: string
  /** Step of the script that waits for a reply; null when none does. */
  readonly step: string | null
  /** Messages of the conversation with the model. */
  readonly history: ReadonlyArray<Message>
  /** Last request to the model; null before the first one. */
  readonly sent: ModelRequest | null
  /** Tools that were asked for, and not run. */
  readonly tools_not_run: ReadonlyArray<ToolNotRun>
  /** Null while the call goes on. */
  readonly ended: CallSummary | null
  /** Seconds since the call was answered, in virtual time. */
  readonly seconds: number
  /** Number of moves that can be taken back. */
  readonly moves: number
}

/** A call under a debugger. */
export interface Debugger {
  /** Begins the call, or begins it again. */
  readonly start: Effect.Effect<DebuggedCall>
  /** Lets the caller do something; null when the call is over. */
  readonly move: (move: CallerMove) => Effect.Effect<DebuggedCall | null>
  /** Takes back so many moves of the caller. */
  readonly back: (moves: number) => Effect.Effect<DebuggedCall>
  /** Ends what runs. */
  readonly close: Effect.Effect<void>
}

/** The call of a debugger. */
export interface DebuggerParts extends Pick<ReplayParts, "toolMock" | "version"> {
  readonly brief: CallBrief
  readonly model: Model
  /** Moment of the answer, in epoch milliseconds. */
  readonly startedAt: number
}

const noTrace = { answerOf: () => null }

/** Makes a debugger of an agent. Nothing is begun yet. */
export const makeDebugger = (
  { brief, model, startedAt, toolMock, version }: DebuggerParts
): Effect.Effect<Debugger, never, AgentCatalog> =>
  Effect.gen(function*() {
    const agents = yield* AgentCatalog
    const withTools = offeredBy(yield* AgentTools)
    const team = yield* findTeam({ agents, brief, version, withTools })
    const options = conversationDefaults
    const plan = planCall({ version: team[0].version, brief, tenant: scopeKey(brief.scope), team, startedAt, options })
    let events: ReadonlyArray<TapedEvent> = []
    /** Numbers of events at which the agent has listened to a move. */
    let places: ReadonlyArray<number> = []
    let sentModelRequest: ModelRequest | null = null
    let notRun: ReadonlyArray<ToolNotRun> = []
    let running: Fiber.RuntimeFiber<unknown> | null = null
    let move: DebuggedLeg["move"] = () => false
    let onPause = () => {}
    const note = (tool: ToolNotRun) => void (notRun = [...notRun, tool])

    const view = Effect.gen(function*() {
      const { command, state } = stepAfter(plan, events)
      const isOver = command._tag === "Finish"
      return {
        turns: state.turns.map(({ role, text, tool }): DebuggedTurn => ({
          role,
          text,
          ...(tool !== undefined && { tool: { name: tool.name, arguments: tool.arguments, outcome: tool.outcome } })
        })),
        variables: currentVariables(plan, state),
        outputs: state.outputs,
        app_id: planOf(plan, state).brief.app_id,
        step: state.script.step,
        history: state.messages,
        sent: sentModelRequest,
        tools_not_run: notRun,
        ended: isOver ? summaryOf(yield* plainReport(plan, state)) : null,
        seconds: ((events.at(-1)?.at ?? startedAt) - startedAt) / 1_000,
        moves: places.length
      } satisfies DebuggedCall
    })

    /** Waits until the agent listens or the call is over, from now on. */
    const untilPause = (): Effect.Effect<void> => {
      const latch = Effect.unsafeMakeLatch(false)
      onPause = () => void latch.unsafeOpen()
      return latch.await
    }

    /** Goes on from the events so far. */
    const goOn = Effect.suspend(() => {
      const pause = untilPause()
      const debugLeg = debuggedLeg({
        onListen: () => onPause(),
        onTransfer: (to) => note({ name: "transfer_call", arguments: JSON.stringify({ to }) })
      })
      move = debugLeg.move
      const conversation = aside(converse({
        plan,
        leg: debugLeg.leg,
        model: {
          generate: (request) =>
            Effect.suspend(() => {
              sentModelRequest = request
              return generateOutside(model, request)
            }),
          stream: () => Stream.die("A leg without sound asks for whole answers")
        },
        handlersOf: handlersFrom(noTrace, toolMock, note),
        inputs: noModelInputs,
        tape: {
          event: (event, at) => void (events = [...events, { event, at }]),
          lastWords: () => {},
          end: () => Effect.void
        },
        past: events.length === 0 ? null : { ...noCutOffWork, startedAt, events }
      }))
      const run = VirtualClock.run(conversation, { start: events.at(-1)?.at ?? startedAt })
      return Effect.flatMap(Effect.forkDaemon(Effect.ensuring(run, Effect.sync(() => onPause()))), (fiber) => {
        running = fiber
        return pause
      })
    })

    const stop = Effect.suspend(() => {
      const fiber = running
      running = null
      move = () => false
      return fiber === null ? Effect.void : Effect.asVoid(Fiber.interrupt(fiber))
    })

    /** Goes on with the first events only. */
    const restartAt = (count: number, earlierPlaces: ReadonlyArray<number>) =>
      Effect.gen(function*() {
        yield* stop
        events = events.slice(0, count)
        places = earlierPlaces
        sentModelRequest = null
        notRun = []
        yield* goOn
        return yield* view
      })

    return {
      start: Effect.suspend(() => restartAt(0, [])),
      move: (next) =>
        Effect.suspend(() => {
          const place = events.length
          const pause = untilPause()
          if (!move(next)) return Effect.succeed(null)
          places = [...places, place]
          return Effect.zipRight(pause, view)
        }),
      back: (moves) =>
        Effect.suspend(() => {
          const earlierPlaces = places.slice(0, Math.max(0, places.length - moves))
          const place = places[earlierPlaces.length]
          return place === undefined ? view : restartAt(place, earlierPlaces)
        }),
      close: stop
    }
  })
