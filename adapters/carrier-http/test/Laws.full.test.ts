import { it } from "@effect/vitest"
import { CarrierHttp } from "@trunkline/carrier-http"
import { defaultCallee, type DoubleProvider, type PushHandler, startDouble } from "@trunkline/carrier-http/testing"
import { PhoneNumber } from "@trunkline/kernel"
import { CallEvents, type Connection } from "@trunkline/telephony"
import { type CarrierHarness, carrierLaws, type DefineTest, type EventDelivery } from "@trunkline/telephony/testing"
import { Effect, Runtime } from "effect"
import { setTimeout as pause } from "node:timers/promises"
import { connectionTo, environment, events, eventsIn, eventsSecret, pushed } from "./World.js"

const number = (suffix: string) => PhoneNumber.make(`+9198765432${suffix}`)

const numbers = {
  answers: number("10"),
  busy: number("11"),
  noAnswer: number("12"),
  invalid: number("13"),
  refused: number("14")
}

const rules = [
  { suffix: "11", callee: { kind: "busy", afterMillis: 0 } },
  { suffix: "12", callee: { kind: "no_answer", afterMillis: 60_000 } },
  { suffix: "13", callee: { kind: "failed", afterMillis: 0, reason: "invalid_number" } },
  { suffix: "14", callee: { kind: "refused", code: "number_not_allowed" } }
] as const

/** Delivers each push with the current delivery behavior. */
const delivering = (how: () => EventDelivery, take: PushHandler): PushHandler => {
  const replies: Array<() => Promise<boolean>> = []
  return async (headers, body) => {
    const arrive = () => take(headers, body)
    switch (how()) {
      case "promptly":
        return await arrive()
      case "late":
        await pause(80)
        return await arrive()
      case "twice":
        await arrive()
        return await arrive()
      case "backwards":
        replies.unshift(arrive)
        await pause(30)
        for (const one of replies.splice(0)) await one()
        return true
      case "never":
        return true
    }
  }
}

const harness = (options: Readonly<Record<string, unknown>>, keeps: ReadonlyArray<"key" | "lookup">) =>
  Effect.gen(function*() {
    const inbox = yield* CallEvents
    const carrier = yield* CarrierHttp.make(environment)
    const run = Runtime.runPromise(yield* Effect.runtime())
    let how: EventDelivery = "promptly"
    const line: { connection?: Connection } = {}
    const take: PushHandler = (headers, body) => {
      const { connection } = line
      return connection === undefined
        ? Promise.resolve(false)
        : run(
          (carrier.readEvents?.({ ...pushed, headers, body, connection }) ?? Effect.succeed([])).pipe(
            Effect.flatMap((read) => inbox.receive("http", eventsIn(read))),
            Effect.as(true)
          )
        )
    }
    const provider: DoubleProvider = yield* Effect.acquireRelease(
      Effect.promise(() =>
        startDouble({
          keeps,
          rules,
          default: defaultCallee,
          secondMillis: 100,
          pushes: { to: delivering(() => how, take), secret: eventsSecret }
        })
      ),
      (provider) => Effect.promise(provider.close)
    )
    const connection = connectionTo(provider.url, options)
    line.connection = connection
    return {
      carrier,
      connection,
      from: PhoneNumber.make("+911140000001"),
      numbers,
      countDials: (attempt) => Effect.sync(() => provider.journal.dialsByAttempt.get(attempt) ?? 0),
      hangUp: (id) => Effect.sync(() => provider.calls().find(({ call_id }) => id.endsWith(`:${call_id}`))?.leave()),
      loseNextResponse: Effect.sync(() => provider.injectFault("create", { kind: "cut", when: "after" })),
      deliver: (next) =>
        Effect.sync(() => {
          how = next
        }),
      wait: Effect.sleep
    } satisfies CarrierHarness
  }).pipe(Effect.provide(events))

const inRealTime: DefineTest = (name, effect) => it.scopedLive(name, effect)

carrierLaws("HTTP with keys", harness({ dedupe: { kind: "key", ttl_seconds: 60 } }, ["key"]), inRealTime)
carrierLaws(
  "HTTP with keys and lookups",
  harness({ dedupe: { kind: "key", ttl_seconds: 60, settle_seconds: 0.1 } }, ["key", "lookup"]),
  inRealTime
)
carrierLaws("HTTP with lookups", harness({ dedupe: { kind: "lookup", settle_seconds: 0.1 } }, ["lookup"]), inRealTime)
carrierLaws("HTTP without dedupe", harness({ dedupe: { kind: "none" } }, []), inRealTime)
