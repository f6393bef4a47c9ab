import {
  afterDial,
  batchStep,
  type Blocker,
  callerNumber,
  type Campaign,
  contactStep,
  countDial,
  dayStart,
  decide,
  type DialRound,
  type DialTally,
  dialWindow,
  linesToTry,
  noLimits,
  type Pace,
  paceOnLines
} from "@trunkline/campaigns"
import { PhoneNumber } from "@trunkline/kernel"
import type { SimulatedCalls } from "./SimulatedCalls.js"
import type { SimulatedContact, SimulatedContacts } from "./SimulatedContacts.js"
import type { SimulatedLine, SimulatedLines } from "./SimulatedLines.js"
import type { Timeline } from "./Timeline.js"

/** Parts of a simulated dialler. */
export interface SimulatedDiallerOptions {
  readonly timeline: Timeline
  readonly contacts: SimulatedContacts
  readonly lines: SimulatedLines
  readonly calls: SimulatedCalls
  /** Dials per contact and day; infinity without a cap. */
  readonly dailyCap: number
}

interface ClaimedContact {
  readonly contact: SimulatedContact
  readonly line: SimulatedLine
}

type Claims = Omit<DialRound, "pace" | "placedCalls"> & { readonly tally: DialTally; readonly handledContacts: number }

/** The number of all contacts, because the decisions do not depend on it. */
const user_phone_number = PhoneNumber.make("+910000000000", { disableValidation: true })

/**
 * Claims the contacts that are due by the decisions of the engine's `Dialler`, and calls them once the campaign rests: as
 * in the engine, a call begins after the round of dialling that claimed it.
 */
export class SimulatedDialler {
  readonly #options: SimulatedDiallerOptions
  #claimed: Array<ClaimedContact> = []
  #handled = 0

  /** A dialler without claims. */
  constructor(options: SimulatedDiallerOptions) {
    this.#options = options
  }

  /** Claims the contacts that are due, as far as the gate, the rate and free lines allow. */
  dial(campaign: Campaign, before: Pace): DialRound {
    const { now } = this.#options.timeline
    const { attempts_per_second, connection_configs } = campaign.app_config
    const earlier = this.#claimed.length
    const { blocker, handledContacts, tally } = this.#claim(campaign, before, now)
    this.#handled += handledContacts
    const calls = this.#claimed.length - earlier
    let pace: Pace = { ...paceOnLines(before, connection_configs), tally }
    for (let count = 0; count < calls; count += 1) {
      pace = afterDial(pace, attempts_per_second, { claimedAt: now, dialledAt: now })
    }
    return { placedCalls: calls, pace, blocker }
  }

  /** Number of due contacts that were handled since the last call of this function. */
  takeHandled(): number {
    const total = this.#handled
    this.#handled = 0
    return total
  }

  /** Calls the contacts that were claimed. */
  placeClaimed(): void {
    if (this.#claimed.length === 0) return
    const claimedContacts = this.#claimed
    this.#claimed = []
    for (const { contact, line } of claimedContacts) this.#options.calls.place(contact, line)
  }

  #claim(campaign: Campaign, pace: Pace, now: number): Claims {
    const { contacts, dailyCap } = this.#options
    const stop = (blocker: Blocker | null): Claims => ({ blocker, tally: pace.tally, handledContacts: 0 })
    // Costs of calls are not simulated, so that a budget limits no rehearsal.
    const gateFacts = { campaign, dailyCap, now, isAgentCommitted: true, budget: null, ...noLimits }
    const gate = decide({ ...gateFacts, contact: null })
    const step = batchStep({ now, preparedCampaign: campaign, current: campaign, gate, pace, budget: null })
    if (step._tag === "Stop") return stop(step.blocker)
    const due = contacts.ready(now, step.limit)
    if (due.length === 0) return stop({ _tag: "NoneDue" })
    let { tally } = paceOnLines(pace, campaign.app_config.connection_configs)
    for (const contact of due) {
      const facts = {
        due_at: contact.due,
        since: contact.since,
        isStopped: false,
        isBlocked: false,
        isOnThePhone: false,
        dialsToday: this.#dialsToday(campaign, contact, now)
      }
      const step = contactStep({
        contact: { due_at: contact.due, user_phone_number },
        gate: decide({ ...gateFacts, contact: facts }),
        line: undefined
      })
      switch (step._tag) {
        case "RecordBlocked":
          break
        case "Finish":
          contacts.refuse(contact, step.decision.reason)
          break
        case "Defer":
          contacts.defer(contact, step.deferral.due_at, step.deferral.decision.reason)
          break
        case "Claim": {
          const line = this.#take(campaign, contact, tally)
          if ("_tag" in line) return { blocker: line, tally, handledContacts: due.length }
          this.#record(campaign, contact, { line, tally, now })
          tally = countDial(tally, line.index)
          this.#claimed.push({ contact, line })
        }
      }
    }
    return { blocker: null, tally, handledContacts: due.length }
  }

  #take({ app_config }: Campaign, { calledFrom }: SimulatedContact, tally: DialTally) {
    const { lines } = this.#options
    return lines.take(linesToTry(app_config, lines.lines, tally, calledFrom))
  }

  #dialsToday({ allowed_schedule }: Campaign, { dialledAt }: SimulatedContact, now: number): number {
    if (dialledAt.length === 0) return 0
    const today = dayStart(dialWindow(allowed_schedule).timezone, now)
    return dialledAt.filter((at) => at >= today).length
  }

  #record(
    { app_config: { phone_rotation } }: Campaign,
    contact: SimulatedContact,
    { line: { index, line }, now, tally }: {
      readonly line: SimulatedLine
      readonly tally: DialTally
      readonly now: number
    }
  ): void {
    const { contacts, dailyCap } = this.#options
    contacts.call(contact)
    if (dailyCap < Infinity) contact.dialledAt = [...contact.dialledAt, now]
    if (!phone_rotation.agent) return
    const from = callerNumber(line, tally[index] ?? 0, contact)
    if (from !== undefined) contact.calledFrom = [...contact.calledFrom, from]
  }
}
