import {
  type AnsweredBy,
  type CallAnswer,
  type CompletionStatus,
  type ConnectivityStatus,
  type InteractionId,
  type Listen,
  type NextActionStatus,
  type ServiceUsage,
  withoutLooseEnd
} from "@trunkline/kernel"
import { findRefusal } from "@trunkline/spoken-text"
import { type Effect, Struct } from "effect"
import { isNobody } from "./AnswerVerdict.js"
import type { Interaction, OptOut } from "./Attempt.js"
import { type CallReport, resultFields, type TranscriptTurn } from "./CallHandler.js"
import type { RecordingResult } from "./CallRecording.js"

/** A call that did not connect, or with an unknown outcome. */
export interface NotConnected {
  readonly _tag: "NotConnected"
  /**
   * `internal`: a fault of ours. `provider_error`: the provider refused or failed. `unknown`: the call may have been
   * dialled. `blocked`: the number is on the workspace's list of blocked numbers.
   */
  readonly situation: "internal" | "provider_error" | "busy" | "no_answer" | "failed" | "unknown" | "blocked"
  readonly reason: string | null
  /** This side stopped ringing before the time was up, so that it counts as no try of the contact. Absent: false. */
  readonly calledOff?: boolean
  /** Use of providers by its conversation before it failed. Absent: nothing. */
  readonly usage?: ReadonlyArray<ServiceUsage>
}

/** A call that was answered and whose conversation has ended. */
export interface Connected {
  readonly _tag: "Connected"
  readonly interaction_id: InteractionId
  /** Epoch milliseconds of business time. */
  readonly started_at: number
  readonly ended_at: number
  readonly report: CallReport
  /** Why it was cut off, where this side stopped in the middle of it; the report is then what had been stored of it. */
  readonly cut?: string
  /** Trouble of its line, such as no sound from the other side. */
  readonly trouble?: string
  /** Moments at which another process went on with it, in epoch milliseconds of business time; absent: none. */
  readonly resumed_at?: ReadonlyArray<number>
  /** Use of providers by it, in this process. Absent: not known. */
  readonly usage?: ReadonlyArray<ServiceUsage>
  /** Fate of its recording; absent for a call that was not recorded. */
  readonly recording?: RecordingResult
}

/** Outcome of a call. */
export type CallOutcome = NotConnected | Connected

/** Makes the outcome of a call that did not connect. */
export const notConnected = (situation: NotConnected["situation"], reason: string | null): NotConnected => ({
  _tag: "NotConnected",
  situation,
  reason
})

/** Duration of a conversation in seconds; 0 when the clock was set back meanwhile. */
export const durationSeconds = (call: { readonly started_at: number; readonly ended_at: number }): number =>
  Math.max(0, Math.round(call.ended_at - call.started_at)) / 1000

const connectivityOf: Record<NotConnected["situation"], ConnectivityStatus | null> = {
  internal: null,
  unknown: null,
  blocked: null,
  provider_error: "failed",
  busy: "busy",
  no_answer: "no_answer",
  failed: "failed"
}

/** Outcome of a call in terms of the API. */
export interface OutcomeSummary {
  readonly completion_status: CompletionStatus
  readonly connectivity_status: ConnectivityStatus | null
  readonly failure_reason: string | null
  /** Null unless the call connected without a fault. */
  readonly interaction: Interaction | null
  /** Absent unless the caller refused all further calls. */
  readonly opt_out?: OptOut
  /** Party that answered; absent where nobody was to find out. */
  readonly answer?: CallAnswer
}

/** `failure_reason` of calls at which nobody was there to talk to, by what answered. */
const nobodyReasons: Readonly<Record<AnsweredBy, string | null>> = {
  person: null,
  silence: null,
  machine: "voicemail",
  screening: "call_screening",
  ivr: "ivr",
  fax: "fax",
  network: "network_tone"
}

const resultNames = Struct.keys(resultFields)

/** Party that answered in place of a person; null where the agent went on. */
const nobodyReason = ({ answer }: CallReport): string | null =>
  answer !== undefined && isNobody(answer) ? nobodyReasons[answer.answered_by] : null

/** The first refusal of all further calls among what the caller said; null without one. */
const optOutOf = (transcript: ReadonlyArray<TranscriptTurn>): OptOut | null => {
  for (const { at, en_text, indic_text, role } of transcript) {
    const text = role === "user" ? findRefusal(indic_text ?? en_text) : null
    if (text !== null) return { text, at }
  }
  return null
}

/**
 * Converts an outcome to the terms of the API. A fault of ours during the call counts as not connected
 * (docs/decisions.md, 6). A call that is retried because it was too short counts as partial, even when the agent
 * reports that it is done.
 */
export const summarizeOutcome = (outcome: CallOutcome, next: NextActionStatus | null): OutcomeSummary => {
  if (outcome._tag === "NotConnected") {
    return {
      completion_status: "failed",
      connectivity_status: connectivityOf[outcome.situation],
      failure_reason: outcome.reason && withoutLooseEnd(outcome.reason),
      interaction: null
    }
  }
  const { report } = outcome
  const opt_out = optOutOf(report.transcript)
  const extras = {
    ...(opt_out !== null && { opt_out }),
    ...(report.answer !== undefined && { answer: report.answer })
  }
  if (report.fault !== null) {
    const failure_reason = withoutLooseEnd(report.fault)
    return { completion_status: "failed", connectivity_status: null, failure_reason, interaction: null, ...extras }
  }
  return {
    ...extras,
    completion_status: report.agent_done && next !== "short_duration_retry" ? "completed" : "partial",
    connectivity_status: "connected",
    failure_reason: outcome.cut ?? nobodyReason(report) ?? outcome.trouble ??
      (report.no_input === true ? "no_input" : null),
    interaction: {
      interaction_id: outcome.interaction_id,
      started_at: outcome.started_at,
      ended_at: outcome.ended_at,
      ...Struct.pick(report, ...resultNames),
      ...(outcome.resumed_at !== undefined && { resumed_at: outcome.resumed_at }),
      ...(outcome.recording !== undefined && { recording: outcome.recording })
    }
  }
}

/** Why a call failed on our side or at its provider, or has an unknown outcome; null for every other call. */
export const faultOf = (outcome: CallOutcome): string | null => {
  if (outcome._tag === "Connected") return outcome.report.fault ?? outcome.cut ?? null
  return faultSituations.includes(outcome.situation) ? outcome.reason ?? outcome.situation : null
}

const faultSituations: ReadonlyArray<NotConnected["situation"]> = ["internal", "provider_error", "unknown"]

/** Result of placing a call. */
export type Placement =
  | CallOutcome
  /** Certainly not dialled, since it is too late or nothing could be sent: the attempt can be withdrawn. */
  | { readonly _tag: "Withdrawn" }
  /** Not dialled: another process owns the work now and settles the attempt. */
  | { readonly _tag: "Disowned" }

/** Conditions for dialling a call. */
export interface PlaceOptions {
  /** Time from which it must not be dialled, in epoch milliseconds of business time; null (default) means no limit. */
  readonly deadline?: number | null
  /**
   * Evaluated before a dial without a response is repeated, which may be minutes later: whether the call could still be
   * dialled if this were its first dial. Default: always.
   */
  readonly mayDial?: Effect.Effect<boolean>
  /** Signal, with a reason, that the call is to stop ringing; it then ends as not answered. Default: never. */
  readonly onCallOff?: Listen<string>
  /** Completes when the request may leave, so that dials are apart. Default: at once. */
  readonly turn?: Effect.Effect<void>
}

/** Result of recovering an attempt that was in progress when its process stopped. */
export type Recovered =
  /** Certainly never dialled; it can be dialled now. */
  | { readonly _tag: "Redial" }
  /** The call is over. */
  | { readonly _tag: "Ended"; readonly outcome: CallOutcome }
  /** The call is still in progress; the effect follows it to its end and must be run. */
  | { readonly _tag: "GoesOn"; readonly outcome: Effect.Effect<CallOutcome> }
  /** Another process owns the work now. */
  | { readonly _tag: "Disowned" }

/** Options for recovering an attempt. */
export interface RecoverOptions {
  /** True when the attempt could be dialled now if this were its first dial (window, campaign status, blocked numbers). */
  readonly mayDial: Effect.Effect<boolean>
}
