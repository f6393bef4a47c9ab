import { BusinessTime } from "@trunkline/kernel"
import { Duration, Effect, Layer } from "effect"
import {
  CallHandler,
  type CallReport,
  SimulatedNetwork,
  type SimulatorOptions,
  type TransferRequest,
  type TransferResult
} from "../../src/index.js"
import { calling } from "../Calling.js"
import { telephony } from "../Fixtures.js"

export const desk = "+911140000050"

/** A blind transfer to the desk, with changes. */
export const transferRequest = (changes: Partial<TransferRequest> = {}): TransferRequest => ({
  kind: "blind",
  to: desk,
  connection_id: null,
  ringTimeout: Duration.seconds(20),
  extension: null,
  acceptKey: null,
  briefing: null,
  prompt: null,
  ...changes
})

/** A warm transfer in which the desk presses 1. */
export const warmRequest = transferRequest({
  kind: "warm",
  acceptKey: "1",
  briefing: { text: "Asha asks for an invoice.", language_name: "English" },
  prompt: { text: "Press 1 to take the call.", language_name: "English" }
})

/** A report of nothing. */
export const report: CallReport = {
  agent_done: true,
  ended_by: "agent",
  language_name: null,
  transcript: [],
  final_agent_variables: {},
  output_agent_variables: {},
  average_agent_response_seconds: null,
  average_user_response_seconds: null,
  business_retry: false,
  reschedule_at: null,
  fault: null
}

/** A call whose agent tries a transfer at once: its attempt, the result, and the calls on the network afterwards. */
export const transferring = (request: TransferRequest, simulator: SimulatorOptions, number?: string) =>
  Effect.suspend(() => {
    let result: TransferResult | "none" = "none"
    let took = 0
    const handler = Layer.succeed(CallHandler, {
      handle: (leg) =>
        Effect.gen(function*() {
          const from = yield* BusinessTime.now
          if (leg.transfer !== undefined) result = yield* leg.transfer(request)
          took = (yield* BusinessTime.now) - from
          if (result === "none" || result.outcome !== "transferred") {
            yield* Effect.ignore(leg.say({ text: "I am back.", language_name: "English", interruptible: true }))
          }
          yield* leg.hangUp
          return report
        })
    })
    return Effect.gen(function*() {
      const attempt = yield* calling(number)
      const calls = yield* (yield* SimulatedNetwork).calls
      return { attempt, result, seconds: took / 1000, calls }
    }).pipe(Effect.provide(telephony({ simulator, handler })))
  })
