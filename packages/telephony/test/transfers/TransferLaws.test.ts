import { virtualTest } from "@trunkline/kernel/testing"
import { type TransferHarness, transferLaws } from "@trunkline/telephony/testing"
import { Duration, Effect } from "effect"
import { SimulatedNetwork } from "../../src/index.js"
import { attemptInProgress } from "../AttemptInProgress.js"
import { connection, line, numberEnding } from "../Fixtures.js"

const addresses = { takes: numberEnding("1"), busy: numberEnding("2"), unknown: numberEnding("4") }

/** An answered call on the network; addresses with which it was connected are those that it says it has taken. */
const open = Effect.gen(function*() {
  const { calls, carrier } = yield* SimulatedNetwork.make({
    rules: [{ suffix: "2", callee: "busy" }, { suffix: "4", callee: "invalid" }]
  })
  const placed = yield* carrier.place({
    attempt_id: attemptInProgress("pending").attempt_id,
    connection,
    from: line,
    to: addresses.takes,
    ringTimeout: Duration.seconds(40)
  })
  const answered = yield* placed.answer
  const connected: Array<string> = []
  const { refer } = answered
  return {
    leg: {
      ...answered,
      ...(refer !== undefined && {
        refer: (request) =>
          Effect.tap(refer(request), ({ _tag }) => Effect.sync(() => _tag === "Taken" && connected.push(request.to)))
      })
    },
    keys: Effect.map(calls, ([call]) => call?.keys ?? ""),
    connected: Effect.sync(() => connected),
    addresses,
    settle: Effect.void
  } satisfies TransferHarness
})

transferLaws("the simulator", open, virtualTest)
