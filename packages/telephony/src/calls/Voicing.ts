import { Context, type Effect, type Scope } from "effect"
import type { AudioLine } from "../call/AudioLine.js"
import { type CallBrief, CallFault } from "../call/CallHandler.js"
import type { Leg } from "../call/Leg.js"

/**
 * Port that turns a line with sound into a leg of words: it speaks, listens, and decides when a turn is over. By default
 * there is none, and calls that carry sound are faults.
 */
export class Voicing extends Context.Reference<Voicing>()("@trunkline/telephony/Voicing", {
  defaultValue: (): Voicing.Service => ({
    legOf: () => new CallFault({ reason: "internal: nothing is set up to speak and listen on calls that carry sound" })
  })
}) {}

export declare namespace Voicing {
  /** Service of the reference. */
  export interface Service {
    /** The leg of a line, for the duration of the scope. The line is hung up by its owner. */
    readonly legOf: (line: AudioLine, brief: CallBrief) => Effect.Effect<Leg, CallFault, Scope.Scope>
  }
}
