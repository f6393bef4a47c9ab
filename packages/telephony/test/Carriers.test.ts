import { BusinessTime, type PhoneNumber, Transactions } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { CallEvents, CallEventStore, type Dedupe, type DialFault, SimulatedNetwork } from "@trunkline/telephony"
import { type CarrierHarness, carrierLaws } from "@trunkline/telephony/testing"
import { Duration, Effect, Layer } from "effect"
import { eventCarrier } from "./events/EventCarrier.js"
import { connection, line, numberEnding } from "./Fixtures.js"

const numbers = {
  answers: numberEnding("1"),
  busy: numberEnding("2"),
  noAnswer: numberEnding("3"),
  invalid: numberEnding("4"),
  refused: numberEnding("5")
} satisfies Record<string, PhoneNumber>

const harness = (dedupe: Dedupe): Effect.Effect<CarrierHarness> =>
  Effect.gen(function*() {
    let next: DialFault | null = null
    const network = yield* SimulatedNetwork.make({
      dedupe,
      default: "answer",
      rules: [
        { suffix: "2", callee: "busy" },
        { suffix: "3", callee: "no_answer" },
        { suffix: "4", callee: "invalid" },
        { suffix: "5", callee: "provider_error" }
      ],
      visibleAfter: dedupe._tag === "Lookup" ? dedupe.settle : Duration.zero,
      fault: () =>
        Effect.sync(() => {
          const now = next
          next = null
          return now
        })
    })
    return {
      carrier: network.carrier,
      connection,
      from: line,
      numbers,
      countDials: (attempt) =>
        Effect.map(network.calls, (calls) => calls.filter(({ attempt_id }) => attempt_id === attempt).length),
      hangUp: network.hangUp,
      loseNextResponse: Effect.sync(() => void (next = { _tag: "Lost" })),
      wait: BusinessTime.sleep
    }
  })

const day = Duration.hours(24)
const minute = Duration.minutes(1)

/** The same provider, which reports calls by events instead of being polled. */
const withEvents = harness({ _tag: "Key", ttl: Duration.hours(24) }).pipe(
  Effect.flatMap((made) => Effect.map(eventCarrier(made.carrier), (carrier) => ({ ...made, ...carrier }))),
  Effect.provide(
    CallEvents.layer().pipe(
      Layer.provide(Layer.merge(CallEventStore.layerMemory, Transactions.layerMemory))
    )
  )
)

carrierLaws("the simulator with keys", harness({ _tag: "Key", ttl: day }), virtualTest)
carrierLaws("the simulator with keys and lookups", harness({ _tag: "Key", ttl: day, settle: minute }), virtualTest)
carrierLaws("the simulator with lookups", harness({ _tag: "Lookup", settle: minute }), virtualTest)
carrierLaws("the simulator without deduplication", harness({ _tag: "None" }), virtualTest)
carrierLaws("the simulator with keys and events", withEvents, virtualTest)
