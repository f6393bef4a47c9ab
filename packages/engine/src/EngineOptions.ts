import type { AfterCallOptions } from "@trunkline/after-call"
import type { NotificationDeliveryOptions } from "@trunkline/notifications"
import type { CreditsOptions } from "@trunkline/rate-limits"
import type { ResponsesOptions } from "@trunkline/responses"
import type { SpeechOptions } from "@trunkline/speech"
import type { CallLimits, LineHealthOptions } from "@trunkline/telephony"
import type { ProjectorOptions } from "@trunkline/warehouse"
import type { RecorderOptions } from "./recordings/CallRecorderLive.js"
import { type Role, roleNames } from "./Roles.js"
import type { BrowserCallSettings } from "./talks/BrowserCallSettings.js"
import type { TraceOptions } from "./traces/TraceFiles.js"
import type { CallLimitsOptions } from "./wiring/CallLimits.js"
import type { EndedAttemptsOptions } from "./wiring/EndedAttempts.js"

/** Options of an engine. All have defaults. */
export interface EngineOptions extends EndedAttemptsOptions, CallLimitsOptions, RecorderOptions {
  /** Roles of this process among those that share its stores; all by default. Fewer need shared stores. */
  readonly roles?: ReadonlyArray<Role>
  /** Time limits of calls; those that are absent have their defaults. */
  readonly callTimes?: Partial<CallLimits>
  /** Circuit breaker that pauses dialling on a failing connection. */
  readonly lineHealth?: LineHealthOptions
  /** Dials per phone number and day, over all campaigns of a workspace, in the zone of the campaign; unlimited by default. */
  readonly maxDialsPerNumberPerDay?: number
  /** Prices, and the time zone of usage periods. */
  readonly credits?: CreditsOptions
  /** Traces of calls, from which they can be replayed; none by default. */
  readonly traces?: TraceOptions
  /** Calls from browsers; on by default. */
  readonly browserCalls?: BrowserCallSettings
  /** Projection of call facts to the warehouse of the boards. */
  readonly projector?: ProjectorOptions
  /** Delivery of scheduled reports. */
  readonly notifications?: NotificationDeliveryOptions
  /** Decoding of the bodies of responses. */
  readonly responses?: ResponsesOptions
  /** Speech synthesis with saved voices. */
  readonly speech?: SpeechOptions
  /** Concurrency of the work after calls, in each process with the role `webhooks`. */
  readonly afterCalls?: Pick<AfterCallOptions, "concurrency">
  /** Keeps what models were sent during calls, beside their transcripts; true by default. */
  readonly keepModelInputs?: boolean
  /** Checks the rules of every call at its end, and warns of those that it broke; true by default. */
  readonly checkCalls?: boolean
  /**
   * False so that calls are never left to another process: where nobody finds them, as with stores in memory. True by default:
   * when this process stops, calls that outlive their process go on in the one that has their stores next.
   */
  readonly handsOver?: boolean
  /** Version in the `user-agent` of webhooks. */
  readonly version?: string
}

/** Roles of an engine. */
export const rolesOf = ({ roles = roleNames }: EngineOptions): ReadonlyArray<Role> => roles
