import { Effect } from "effect"
import { startSipp } from "../../src/testing/Sipp.js"
import { receive, receiveCall, requestOfCallee, respond, sdp, type Step } from "../../src/testing/SippScenario.js"
import { carrierOf, connectionTo, planFor, theirNumber } from "../peers/World.js"

/** A callee that follows some steps, and a carrier that calls it. */
export const calleeOf = (steps: ReadonlyArray<Step>, options: Readonly<Record<string, unknown>> = {}, credentials?: {
  readonly user: string
  readonly password: string
}) =>
  Effect.gen(function*() {
    const callee = yield* startSipp({ remote: null, steps, ...(credentials !== undefined && { credentials }) })
    const connection = connectionTo(callee.port, options)
    const carrier = yield* carrierOf(connection)
    const place = (ringSeconds?: number) => carrier.place(planFor(connection, theirNumber, ringSeconds))
    return { carrier, connection, callee, place }
  })

/** Steps of a callee that rings and answers. */
export const answers = (body = sdp(), headers: ReadonlyArray<string> = []): ReadonlyArray<Step> => [
  receiveCall(),
  respond(180),
  respond(200, { body, headers }),
  receive("ACK")
]

/** Steps of a callee that is hung up. */
export const isHungUp: ReadonlyArray<Step> = [receive("BYE"), respond(200, { tag: false })]

/** Steps of a callee that hangs up, with a number of its request. */
export const hangsUp = (cseq = 1): ReadonlyArray<Step> => [requestOfCallee("BYE", { cseq }), receive(200)]
