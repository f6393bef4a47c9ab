import { nextClosing, type TimeZone, type WeeklyWindow, zonePeriod } from "@trunkline/kernel"
import type { AttemptResult } from "@trunkline/telephony"
import type { SimulatedOutcome } from "../callees/OutcomeSampler.js"
import { contactBytes } from "./ContactBytes.js"
import type { Journal } from "./Journal.js"
import { outcomes, type RehearsedOutcome } from "./RehearsalReport.js"

const hour = 3_600_000

/** Counts of a local hour in the campaign's zone. */
export interface HourTally {
  dials: number
  answers: number
  /** Milliseconds. */
  talk: number
  peak: number
}

/** Counts of one opening of the window. */
export interface WindowTally {
  readonly first_dial_at: number
  readonly closes_at: number
  last_dial_at: number
  dials: number
  answers: number
}

/** Sums of line and talk time, in milliseconds. */
interface Sums {
  line: number
  talk: number
}

/** A call of a rehearsal. */
export interface RehearsedCall {
  /** Number of the dial in the rehearsal, from 1. */
  readonly number: number
  /** Position of the contact in the list, from 1. */
  readonly person: number
  /** Number of the call to this contact, from 1. */
  readonly attempt: number
  /** Moment of the dial, epoch milliseconds. */
  readonly dialled_at: number
  readonly outcome: SimulatedOutcome
}

/** The result of a call that has ended. */
export type TalliedResult = Pick<
  AttemptResult,
  "completion_status" | "connectivity_status" | "finished_at" | "interaction" | "next_action_status"
>

const noHour = (): HourTally => ({ dials: 0, answers: 0, talk: 0, peak: 0 })

/** Counts the events of a rehearsal and writes them to its journal. */
export class Tally {
  readonly hours = new Map<number, HourTally>()
  readonly windows: Array<WindowTally> = []
  readonly counts = new Map<RehearsedOutcome, number>(outcomes.map((outcome) => [outcome, 0]))
  readonly sums: Sums = { line: 0, talk: 0 }
  /** Number of connected calls by length in whole seconds. */
  readonly lengths = new Map<number, number>()
  /** By contact: number of calls, number of the call that first reached it, and last outcome from 1. */
  readonly calls = contactBytes()
  readonly reachedBy = contactBytes()
  readonly lastOutcome = contactBytes()
  dials = 0
  /** Number of finished contacts. */
  peopleDone = 0
  peak = 0
  peakAt: number | null = null
  lastEventAt: number | null = null
  #waitedForLines = 0
  #now = 0
  #waitsSince: number | null = null
  readonly #zone: TimeZone
  readonly #window: WeeklyWindow
  readonly #journal: Journal

  constructor({ journal, window }: { readonly journal: Journal; readonly window: WeeklyWindow }) {
    this.#journal = journal
    this.#window = window
    this.#zone = window.timezone
  }

  /** All lines were busy when a call was due. */
  noLine(at: number): void {
    this.#waitsSince ??= at
  }

  /** Milliseconds, up to a moment, during which a contact was due and all lines were busy. */
  waited(until: number): number {
    const since = this.#waitsSince
    return this.#waitedForLines + (since === null ? 0 : Math.min(until, nextClosing(this.#window, since)) - since)
  }

  dialled({ attempt, dialled_at: at, number, person }: RehearsedCall): void {
    this.dials += 1
    this.#now += 1
    this.#waitedForLines = this.waited(at)
    this.#waitsSince = null
    this.calls.set(person, attempt)
    const inHour = this.#hourOf(at)
    inHour.dials += 1
    inHour.peak = Math.max(inHour.peak, this.#now)
    if (this.#now > this.peak) [this.peak, this.peakAt] = [this.#now, at]
    const opening = this.#openingAt(at)
    opening.dials += 1
    opening.last_dial_at = at
    this.#journal.write(at, `${number} person ${person} call ${attempt}: dialled`)
  }

  answered({ attempt, dialled_at, outcome, number, person }: RehearsedCall): void {
    if (outcome._tag !== "PickedUp") return
    const at = dialled_at + outcome.ringMillis
    this.#journal.write(at, `${number} person ${person} call ${attempt}: ${outcome.by} picks up`)
  }

  /** A call has ended. */
  ended(call: RehearsedCall, result: TalliedResult): void {
    const { attempt, dialled_at, number, person } = call
    const at = result.finished_at
    const outcome = outcomeOf(call, result)
    this.lastEventAt = at
    this.counts.set(outcome, (this.counts.get(outcome) ?? 0) + 1)
    this.lastOutcome.set(person, outcomes.indexOf(outcome) + 1)
    if (result.next_action_status === null) this.peopleDone += 1
    const next = result.next_action_status ?? "nothing more"
    const label = `${number} person ${person} call ${attempt}: `
    this.#journal.write(at, `${label}${outcome}, ${result.completion_status}, then ${next}`)
    this.#now -= 1
    this.sums.line += at - dialled_at
    if (result.interaction !== null) this.#talked(result.interaction, outcome, call)
  }

  #talked(
    { ended_at, started_at }: { readonly started_at: number; readonly ended_at: number },
    outcome: RehearsedOutcome,
    { attempt, dialled_at, person }: RehearsedCall
  ): void {
    const talk = ended_at - started_at
    this.sums.talk += talk
    const seconds = Math.ceil(talk / 1_000)
    this.lengths.set(seconds, (this.lengths.get(seconds) ?? 0) + 1)
    const dialHour = this.#hourOf(dialled_at)
    dialHour.talk += talk
    if (outcome !== "answered") return
    dialHour.answers += 1
    this.#answersIn(dialled_at)
    if (this.reachedBy.get(person) === 0) this.reachedBy.set(person, attempt)
  }

  #answersIn(dialledAt: number): void {
    const opening = this.windows.findLast(({ first_dial_at }) => first_dial_at <= dialledAt)
    if (opening !== undefined) opening.answers += 1
  }

  #hourOf(at: number): HourTally {
    const reading = Math.floor((at + zonePeriod(this.#zone, at).offset) / hour)
    const existing = this.hours.get(reading)
    if (existing !== undefined) return existing
    const newHour = noHour()
    this.hours.set(reading, newHour)
    return newHour
  }

  #openingAt(at: number): WindowTally {
    const last = this.windows.at(-1)
    if (last !== undefined && at < last.closes_at) return last
    const opening = {
      first_dial_at: at,
      closes_at: nextClosing(this.#window, at),
      last_dial_at: at,
      dials: 0,
      answers: 0
    }
    this.windows.push(opening)
    return opening
  }
}

const outcomeOf = ({ outcome }: RehearsedCall, { connectivity_status }: TalliedResult): RehearsedOutcome => {
  if (connectivity_status === "connected") {
    return outcome._tag === "PickedUp" && outcome.by === "voicemail" ? "voicemail" : "answered"
  }
  if (outcome._tag === "ProviderError") return "provider_error"
  if (outcome._tag === "NotReached" && outcome.invalid) return "invalid_number"
  return connectivity_status ?? "failed"
}
