import type { AttemptId } from "@trunkline/kernel"
import type { Attempt } from "@trunkline/telephony"
import { Context, Layer } from "effect"
import type { Fate } from "../callees/Fate.js"

/** A call of a rehearsal, from the dial to the end of its attempt. */
export interface RehearsedCall {
  /** The dials of the rehearsal, counted from 1. */
  readonly number: number
  /** Where the person stands in the list, from 1. */
  readonly person: number
  /** The calls to this person, counted from 1. */
  readonly attempt: number
  /** When it was dialled, epoch milliseconds. */
  readonly dialled_at: number
  readonly fate: Fate
}

/** The person of an attempt: rehearsals number people and use the number as their identifier. */
export const personOf = ({ user_identifier }: Attempt): number => Number(user_identifier)

/**
 * The attempts and calls that are going on. It is the memory behind the stores and lines of a rehearsal, which ask it
 * several times for each call: so it is plain, not made of effects.
 */
export class CallBook extends Context.Tag("@trunkline/rehearsal/CallBook")<CallBook, {
  readonly attempts: Map<AttemptId, Attempt>
  readonly calls: Map<AttemptId, RehearsedCall>
}>() {
  static readonly layer = Layer.sync(CallBook, () => CallBook.of({ attempts: new Map(), calls: new Map() }))
}
