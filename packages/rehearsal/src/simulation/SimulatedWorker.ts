import {
  Campaign,
  type CampaignFacts,
  type CampaignStatus,
  type CampaignStep,
  initialPace,
  isFinalStatus,
  nextStep,
  type OwnedCampaign,
  paceAt,
  shortRestMillis
} from "@trunkline/campaigns"
import { unchecked } from "@trunkline/kernel"
import type { SimulatedContacts } from "./SimulatedContacts.js"
import type { SimulatedDialler } from "./SimulatedDialler.js"
import type { SimulatedLines } from "./SimulatedLines.js"
import { type Timeline, TimelineEvent } from "./Timeline.js"

/** Parts of a simulated worker. */
export interface SimulatedWorkerOptions {
  readonly timeline: Timeline
  readonly contacts: SimulatedContacts
  readonly lines: SimulatedLines
  readonly dialler: SimulatedDialler
  /** True when the campaign ends once all its contacts are finished. */
  readonly endWhenExhausted: boolean
}

type Waiting = Extract<CampaignStep, { readonly _tag: "Wait" }>

/**
 * Runs one campaign as the engine's `CampaignWorker` does: asks `nextStep` for the next step, carries it out, and repeats.
 * It takes its steps one by one and never waits itself: while it is asleep, the timeline goes on.
 */
export class SimulatedWorker extends TimelineEvent {
  readonly #options: SimulatedWorkerOptions
  #owned: OwnedCampaign
  #facts: CampaignFacts
  #state: "awake" | "rests" | "waits" | "over" = "awake"
  /** A pending signal; campaigns start with one. */
  #signalled = true
  #handlesCallEnds = true
  #awaitsLine = false
  /** When the campaign was over, epoch milliseconds; null before. */
  overAt: number | null = null

  /** A worker that begins with a look at its campaign. */
  constructor(ownedCampaign: OwnedCampaign, options: SimulatedWorkerOptions) {
    super()
    this.#options = options
    this.#owned = ownedCampaign
    this.#facts = this.#factsOf({ pace: initialPace(null), stopFiles: "unread" })
  }

  /** The campaign as it is now. */
  get campaign(): Campaign {
    return this.#owned.campaign
  }

  /** True while the worker has a step to take before time goes on. */
  get isAwake(): boolean {
    return this.#state === "awake"
  }

  /** A call of the campaign has ended. */
  readonly callEnded = (): void => {
    if (!this.#handlesCallEnds) return
    if (this.#state === "waits") this.#wakeUp()
    else this.#signalled = true
  }

  /** The moment that the worker slept until has come. */
  happen(): void {
    if (this.#state === "rests") {
      this.#state = "awake"
      this.#continue()
    } else this.#wakeUp()
  }

  /** Takes the next step; returns false, and does nothing, when it first needs the next page of contacts. */
  step(): boolean {
    const { contacts, dialler, lines } = this.#options
    const facts = this.#facts
    if (this.#awaitsLine) {
      this.#awaitsLine = false
      lines.leave()
    }
    const step = nextStep(facts)
    switch (step._tag) {
      case "Stop":
        this.#state = "over"
        return true
      case "Look":
      case "PauseForBudget":
        this.#look()
        return true
      case "ReadStopFiles":
        this.#facts = { ...facts, stopFiles: "read" }
        return true
      case "SetStatus":
        this.#setStatus(step.to)
        return true
      case "ReadNextDue":
        this.#facts = { ...facts, nextDue: contacts.nextDue }
        return true
      case "Enrol":
        if (contacts.needsPage("enrol")) return false
        if (contacts.enrol(facts.now) > 0) this.#look()
        else this.#facts = { ...facts, isRosterEmpty: true }
        return true
      case "EndIfExhausted":
        if (contacts.isIdle && contacts.needsPage("look")) return false
        if (contacts.isExhausted) this.#setStatus("ended")
        else this.#facts = { ...facts, hasContactsLeft: true }
        return true
      case "Dial": {
        const { blocker, pace, placedCalls } = dialler.dial(this.campaign, paceAt(facts.pace, facts.now))
        this.#facts = { ...facts, isAfterRest: false, pace, lastRound: { blocker, placedCalls } }
        return true
      }
      case "Rest":
        this.#rest(step.until)
        return true
      case "Wait":
        this.#wait(step)
        return true
    }
  }

  #factsOf({ pace, stopFiles }: Pick<CampaignFacts, "pace" | "stopFiles">): CampaignFacts {
    const { endWhenExhausted, timeline: { now } } = this.#options
    return { now, ownedCampaign: this.#owned, pace, endWhenExhausted, stopFiles }
  }

  #look(): void {
    this.#handlesCallEnds = true
    this.#facts = this.#factsOf({ pace: this.#facts.pace, stopFiles: "read" })
  }

  #continue(): void {
    this.#facts = { ...this.#facts, now: this.#options.timeline.now, isAfterRest: true }
  }

  #setStatus(status: CampaignStatus): void {
    this.#owned = { ...this.#owned, campaign: new Campaign({ ...this.campaign, status }, unchecked) }
    if (isFinalStatus(status)) this.overAt = this.#options.timeline.now
    this.#look()
  }

  /** Rests until the next dial. Only signals interrupt it, and not when it is short. */
  #rest(until: number): void {
    const { dialler, timeline } = this.#options
    const at = Math.min(until, this.campaign.end_timestamp.epochMillis)
    this.#handlesCallEnds = false
    if (until - timeline.now > shortRestMillis && this.#takeSignal()) return
    if (at <= timeline.now) return this.#continue()
    this.#sleep("rests", at)
    dialler.placeClaimed()
  }

  #wait({ lineVacancy, until }: Waiting): void {
    const { dialler, lines, timeline } = this.#options
    if (this.#takeSignal()) return
    if (until <= timeline.now) {
      dialler.placeClaimed()
      return this.#look()
    }
    this.#sleep("waits", until)
    if (lineVacancy !== null) {
      this.#awaitsLine = true
      lines.awaitFree(this.#wakeUp)
    }
    dialler.placeClaimed()
  }

  /** Places the calls that were claimed and looks again, if a signal is pending. */
  #takeSignal(): boolean {
    if (!this.#signalled) return false
    this.#signalled = false
    this.#options.dialler.placeClaimed()
    this.#look()
    return true
  }

  /**
   * Sleeps. The calls that were claimed are placed after that, since events of the same millisecond happen in the order in
   * which they were scheduled.
   */
  #sleep(state: "rests" | "waits", until: number): void {
    this.#state = state
    this.#options.timeline.schedule(this, until)
  }

  /** Ends a wait. */
  readonly #wakeUp = (): void => {
    if (this.#state !== "waits") return
    this.#options.timeline.cancel(this)
    this.#state = "awake"
    this.#look()
  }
}
