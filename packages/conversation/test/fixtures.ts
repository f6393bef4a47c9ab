import { AgentVersion } from "@trunkline/agents"
import { collections } from "@trunkline/agents/testing"
import type { LegEvent } from "@trunkline/conversation/testing"
import type { CallReport } from "@trunkline/telephony"
import { Logger, LogLevel, Schema } from "effect"

const decode = Schema.decodeUnknownSync(AgentVersion)

/** The sample collections agent, with changes. */
export const scriptAgent = (changes: object = {}) => decode({ ...collections, ...changes })

/** An agent that only has what every agent has, with changes. */
export const promptAgent = (changes: object = {}) => decode({ app_version: 1, committed: true, ...changes })

/** What the transcript holds, as `role: text` in the language spoken. */
export const turnsOf = ({ transcript }: CallReport): ReadonlyArray<string> =>
  transcript.map(({ en_text, indic_text, role }) => `${role}: ${indic_text ?? en_text}`)

/** Everything the agent began to say. */
export const saidOn = (log: ReadonlyArray<LegEvent>): ReadonlyArray<string> =>
  log.flatMap((event) => event._tag === "Say" ? [event.text] : [])

/** Keeps the warnings of expected failures out of the test output. */
export const quiet = Logger.withMinimumLogLevel(LogLevel.Error)
