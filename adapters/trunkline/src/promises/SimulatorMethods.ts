import { Invalid } from "@trunkline/errors"
import { CalleeTurn, Connections, DialledNumber, SimulatedNetwork } from "@trunkline/telephony"
import { Effect, Schema } from "effect"
import type { EndedCalls } from "./CallMethods.js"
import { decode } from "./Decode.js"
import type { Runner } from "./Runner.js"
import type { Simulator } from "./SimulatorTypes.js"

const decodeCall = decode(
  Schema.Struct({
    from: DialledNumber,
    to: DialledNumber,
    caller: Schema.optional(
      Schema.Union(
        Schema.Literal("answer", "hang_up_early", "voicemail"),
        Schema.Array(CalleeTurn).pipe(Schema.minItems(1))
      )
    )
  }),
  "call"
)

/** Offers a call to a line of the simulated network; fails with `Invalid` when none has the number. */
const offer = (call: unknown) =>
  Effect.gen(function*() {
    const { caller, from, to } = yield* decodeCall(call)
    const connections = yield* (yield* Connections).list
    const connection = connections.find(({ phone_numbers, provider }) =>
      provider === "simulator" && phone_numbers.includes(to)
    )
    if (connection === undefined) {
      const numbers = connections.filter(({ provider }) => provider === "simulator").flatMap((line) =>
        line.phone_numbers
      )
      return yield* Invalid.at(
        ["to"],
        "value_error",
        numbers.length === 0
          ? "No line has the provider simulator: add one to the option lines"
          : `Is not a number of a simulated line; there are ${numbers.slice(0, 10).join(", ")}`
      )
    }
    const network = yield* SimulatedNetwork
    return yield* network.offer({ connection, from, to, ...(caller !== undefined && { callee: caller }) })
  })

/** The end of a call that has no record. */
const endOfRefusal = (reason: string): Promise<never> => {
  const end = Promise.reject(new Error(`The call was refused, and there is no record of it: ${reason}`))
  // A rejection that nobody waits for must not end the process.
  end.catch(() => undefined)
  return end
}

/** Makes the methods of the simulated network. */
export const makeSimulator = (
  { run }: Runner,
  { endedCalls, takesCalls }: {
    readonly endedCalls: EndedCalls
    /** False when other processes take the calls that come in. */
    readonly takesCalls: boolean
  }
): Simulator => ({
  callIn: (call) =>
    endedCalls.during(async (endOf) => {
      if (!takesCalls) throw new Error("Calls come in where there is the role dial: call in a process that has it")
      const offeredCall = await run(offer(call))
      const refusedText = offeredCall.accepted ? null : offeredCall.reason
      const { attempt_id } = offeredCall
      return {
        attempt_id,
        refused: refusedText,
        ended: attempt_id === null ? endOfRefusal(refusedText ?? "") : endOf(attempt_id)
      }
    })
})
