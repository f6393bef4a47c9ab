import type { OwnedCampaign } from "@trunkline/campaigns"
import type { OutcomeSampler } from "../callees/OutcomeSampler.js"
import type { Journal } from "../report/Journal.js"
import type { Tally } from "../report/Tally.js"
import { SimulatedCalls } from "./SimulatedCalls.js"
import { SimulatedContacts } from "./SimulatedContacts.js"
import { SimulatedDialler } from "./SimulatedDialler.js"
import { SimulatedLines } from "./SimulatedLines.js"
import { SimulatedWorker } from "./SimulatedWorker.js"
import { Timeline } from "./Timeline.js"

/** Parts and settings of a simulation. */
export interface CampaignSimulationOptions {
  readonly ownedCampaign: OwnedCampaign
  /** Start of the simulation, epoch milliseconds. */
  readonly now: number
  readonly tally: Tally
  readonly journal: Journal
  readonly sampleOutcome: OutcomeSampler
  readonly maxConcurrentCalls: number
  /** Concurrent calls per connection, by connection id; absent ones are unlimited. */
  readonly channels: Readonly<Record<string, number>>
  readonly dailyCap: number
  readonly endWhenExhausted: boolean
  /** Ended calls between two pauses for a report of the progress. */
  readonly progressInterval: number
}

/**
 * Why a simulation pauses: for the next page of contacts, because the journal is full, for a report of the progress, for
 * the event loop, or because it is over.
 */
export type SimulationPause = "contacts" | "journal" | "progress" | "slice" | "over"

/** Units of work between two pauses, of some microseconds each. The last one may be a round of up to 64 dials. */
export const workPerSlice = 512

/**
 * A campaign in simulated time, from its start until it is over and its last call has ended: a plain state machine over
 * the decision functions of the engine. Nothing in it waits; it pauses wherever its caller has something to do.
 */
export class CampaignSimulation {
  readonly contacts = new SimulatedContacts()
  readonly #options: CampaignSimulationOptions
  readonly #timeline: Timeline
  readonly #dialler: SimulatedDialler
  readonly #worker: SimulatedWorker
  #work = 0
  #ended = 0
  #reported = 0

  /** A simulation that has not begun. */
  constructor(options: CampaignSimulationOptions) {
    const { channels, dailyCap, endWhenExhausted, maxConcurrentCalls, now, ownedCampaign, sampleOutcome, tally } =
      options
    const { contacts } = this
    const timeline = new Timeline(now)
    const lines = new SimulatedLines({
      timeline,
      lines: ownedCampaign.campaign.app_config.connection_configs,
      maxConcurrentCalls,
      channels,
      onBusy: () => tally.noLine(timeline.now)
    })
    const calls = new SimulatedCalls({
      timeline,
      contacts,
      lines,
      tally,
      sampleOutcome,
      campaign: () => this.#worker.campaign,
      onEnded: () => {
        this.#ended += 1
        this.#worker.callEnded()
      }
    })
    this.#options = options
    this.#timeline = timeline
    this.#dialler = new SimulatedDialler({ timeline, contacts, lines, calls, dailyCap })
    this.#worker = new SimulatedWorker(ownedCampaign, {
      timeline,
      contacts,
      lines,
      dialler: this.#dialler,
      endWhenExhausted
    })
  }

  /** When the campaign was over, epoch milliseconds; null before. */
  get overAt(): number | null {
    return this.#worker.overAt
  }

  /** Units of work done so far: events, steps of the worker, and contacts handled in them. */
  get work(): number {
    return this.#work
  }

  /** Continues until the next pause. */
  advance(): SimulationPause {
    const { journal, progressInterval } = this.#options
    const until = this.#work + workPerSlice
    while (this.#work < until) {
      if (this.#worker.isAwake) {
        if (!this.#worker.step()) return "contacts"
        this.#work += this.#dialler.takeHandled()
      } else if (this.overAt !== null && this.contacts.calling === 0) return "over"
      else if (!this.#timeline.advance()) return "over"
      this.#work += 1
      if (journal.isFull()) return "journal"
      if (this.#ended - this.#reported >= progressInterval) {
        this.#reported += progressInterval
        return "progress"
      }
    }
    return "slice"
  }
}
