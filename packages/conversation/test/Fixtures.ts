import { AgentVersion } from "@trunkline/agents"
import { collections } from "@trunkline/agents/testing"
import type { LegEvent } from "@trunkline/conversation/testing"
import type { CallReport } from "@trunkline/telephony"
import { Logger, LogLevel, Schema } from "effect"

const decode = Schema.decodeUnknownSync(AgentVersion)

/** The sample collections agent, with changes. */
export const scriptAgent = (changes: object = {}) => decode({ ...collections, ...changes })

/** An agent with defaults only, with changes. */
export const promptAgent = (changes: object = {}) => decode({ app_version: 1, committed: true, ...changes })

/** The transcript as lines of `role: text`, in the spoken language. */
export const turnsOf = ({ transcript }: CallReport): ReadonlyArray<string> =>
  transcript.map(({ en_text, indic_text, role }) => `${role}: ${indic_text ?? en_text}`)

/** The texts of the agent, including interrupted ones. */
export const saidOn = (log: ReadonlyArray<LegEvent>): ReadonlyArray<string> =>
  log.flatMap((event) => event._tag === "Say" ? [event.text] : [])

/** Suppresses warnings of expected failures. */
export const quiet = Logger.withMinimumLogLevel(LogLevel.Error)
