import { type Campaign, concludeAttempt } from "@trunkline/campaigns"
import { InteractionId } from "@trunkline/kernel"
import { type CallOutcome, type CallReport, notConnected, summarizeOutcome } from "@trunkline/telephony"
import type { OutcomeSampler, PickedUp } from "../callees/OutcomeSampler.js"
import type { RehearsedCall, Tally } from "../report/Tally.js"
import type { SimulatedContact, SimulatedContacts } from "./SimulatedContacts.js"
import type { SimulatedLine, SimulatedLines } from "./SimulatedLines.js"
import { type Timeline, TimelineEvent } from "./Timeline.js"

/** Parts that the calls of a simulation share. */
export interface SimulatedCallsOptions {
  readonly timeline: Timeline
  readonly contacts: SimulatedContacts
  readonly lines: SimulatedLines
  readonly tally: Tally
  readonly sampleOutcome: OutcomeSampler
  /** The campaign as it is now. */
  readonly campaign: () => Campaign
  /** Runs when a call has ended, before its line is free. */
  readonly onEnded: () => void
}

const unansweredOutcomes = {
  busy: notConnected("busy", null),
  no_answer: notConnected("no_answer", null),
  failed: notConnected("failed", null)
}

const rejectedOutcome = notConnected("provider_error", "rehearsal: the provider rejected the call")

const interaction_id = InteractionId.make("rehearsal")

/** The calls of a simulation: ringing, talking, and their consequences, without a conversation. */
export class SimulatedCalls {
  readonly #options: SimulatedCallsOptions
  #dials = 0

  /** No calls. */
  constructor(options: SimulatedCallsOptions) {
    this.#options = options
  }

  /** Dials a contact that was claimed, on a line that was reserved for it. */
  place(contact: SimulatedContact, line: SimulatedLine): void {
    const { sampleOutcome, tally, timeline: { now } } = this.#options
    this.#dials += 1
    const outcome = sampleOutcome(contact.person, contact.attempts - 1, now)
    const { attempts, person } = contact
    const dial = { number: this.#dials, person, attempt: attempts, dialled_at: now, outcome }
    tally.dialled(dial)
    if (outcome._tag !== "ProviderError") {
      return this.#at(new Call(this, contact, line, dial), now + outcome.ringMillis)
    }
    line.breaker.report("failed", now, now)
    this.#end(new Call(this, contact, line, dial), rejectedOutcome)
  }

  /** The ringing or the talking of a call is over. */
  proceed(call: Call): void {
    const { tally, timeline: { now } } = this.#options
    const { outcome } = call.dial
    if (outcome._tag === "ProviderError") return
    if (outcome._tag === "PickedUp" && call.started_at !== null) {
      return this.#end(call, connectedOutcome(outcome, call.started_at, now))
    }
    call.line.breaker.report("ok", now, call.dial.dialled_at)
    if (outcome._tag === "NotReached") return this.#end(call, unansweredOutcomes[outcome.status])
    call.started_at = now
    tally.answered(call.dial)
    this.#at(call, call.dial.dialled_at + outcome.ringMillis + outcome.talkMillis)
  }

  #at(call: Call, moment: number): void {
    if (moment > this.#options.timeline.now) this.#options.timeline.schedule(call, moment)
    else this.proceed(call)
  }

  #end({ contact, line, dial }: Call, outcome: CallOutcome): void {
    const { campaign, contacts, lines, onEnded, tally, timeline: { now } } = this.#options
    const conclusion = concludeAttempt({ outcome, campaign: campaign(), counters: contact.counters, now })
    contacts.settle(contact, conclusion)
    tally.ended(dial, {
      ...summarizeOutcome(outcome, conclusion.status),
      next_action_status: conclusion.status,
      finished_at: now
    })
    onEnded()
    lines.release(line)
  }
}

/** A call on the timeline, until its ringing or its talking is over. */
class Call extends TimelineEvent {
  /** When it was picked up; null while it rings. */
  started_at: number | null = null

  constructor(
    readonly calls: SimulatedCalls,
    readonly contact: SimulatedContact,
    readonly line: SimulatedLine,
    readonly dial: RehearsedCall
  ) {
    super()
  }

  happen(): void {
    this.calls.proceed(this)
  }
}

/** The outcome of a call that was picked up and is over now. */
const connectedOutcome = (pickup: PickedUp, started_at: number, ended_at: number): CallOutcome => ({
  _tag: "Connected",
  interaction_id,
  started_at,
  ended_at,
  report: reportOf(pickup, ended_at)
})

/** The report that an agent gives of a call that is over now. */
const reportOf = ({ business_retry, by, reschedule_after, short }: PickedUp, ended_at: number): CallReport => {
  const agent_done = by === "person" && !short
  return {
    agent_done,
    ended_by: agent_done ? "agent" : "user",
    language_name: null,
    transcript: [],
    final_agent_variables: {},
    output_agent_variables: {},
    average_agent_response_seconds: null,
    average_user_response_seconds: null,
    business_retry,
    reschedule_at: reschedule_after === null ? null : ended_at + reschedule_after,
    fault: null
  }
}
