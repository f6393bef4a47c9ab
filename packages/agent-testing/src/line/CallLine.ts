import type { EndedBy, Leg } from "@trunkline/telephony"
import type { Effect } from "effect"
import type { OpenTurnOf } from "./CallLog.js"
import type { LineClock } from "./LineClock.js"

/** Words of the agent that are being said. */
export interface AgentUtterance {
  readonly turn: OpenTurnOf<"agent">
  /** Epoch milliseconds of their beginning. */
  readonly startedAt: number
}

/** State of a line, which both sides change. */
export interface TestLineState {
  speech: AgentUtterance | null
  /** The agent's turn to speak is over, and it waits for the caller. */
  isListening: boolean
  /** The caller speaks or presses keys. */
  isCallerBusy: boolean
  endedBy: EndedBy | null
  /** Turns of the agent that are over, in order. */
  readonly agentTurns: Array<OpenTurnOf<"agent">>
  /** English name of the language of the agent's last words. */
  language: string
}

/** The state of a line on which nothing has been said. */
export const silentLine = (): TestLineState => ({
  speech: null,
  isListening: false,
  isCallerBusy: false,
  endedBy: null,
  agentTurns: [],
  language: "English"
})

/** Words of a caller. */
export interface CallerWords {
  readonly text: string
  readonly language: string
  readonly english: string | null
  /** Share of them that is lost. */
  readonly loss: number
}

/** Way of a caller's actions to the agent. Each takes its time. */
export interface ActionDelivery {
  /** Says words, and returns those that are not lost. */
  readonly says: (words: CallerWords) => Effect.Effect<string>
  readonly presses: (keys: string) => Effect.Effect<void>
  readonly holds: (millis: number) => Effect.Effect<void>
  readonly makesNoise: (millis: number) => Effect.Effect<void>
}

/** A line between an agent and a caller. */
export interface CallLine {
  readonly leg: Leg
  readonly state: TestLineState
  readonly clock: LineClock
  readonly delivery: ActionDelivery
  /** Ends the call, unless it is over. */
  readonly end: (by: EndedBy) => Effect.Effect<void>
}

/** Milliseconds between two keys. */
export const keyMillis = 100
