import { Context, type Effect, Layer, type Scope } from "effect"
import type { AudioLine } from "./AudioLine.js"
import { type CallBrief, CallFault } from "./CallHandler.js"
import type { Leg } from "./Leg.js"

/** Port that turns a line with sound into a leg of words: it speaks, listens, and decides when a turn is over. */
export class Voicing extends Context.Tag("@trunkline/telephony/Voicing")<Voicing, {
  /** The leg of a line, for the duration of the scope. The line is hung up by the leg's owner. */
  readonly legOf: (line: AudioLine, brief: CallBrief) => Effect.Effect<Leg, CallFault, Scope.Scope>
}>() {
  /** No voices: calls that carry sound are faults. */
  static readonly layerNone = Layer.succeed(Voicing, {
    legOf: () => new CallFault({ reason: "internal: nothing is set up to speak and listen on calls that carry sound" })
  })
}
