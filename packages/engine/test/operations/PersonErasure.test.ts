import { assert, describe, it } from "@effect/vitest"
import { CallRecords, Recordings } from "@trunkline/analytics"
import { attemptId, callRecord, testPlace, transcriptOf } from "@trunkline/analytics/testing"
import { FileStore } from "@trunkline/cohorts"
import { CohortId, PersonData, PhoneNumber, Transactions } from "@trunkline/kernel"
import { CallTraces } from "@trunkline/replay/trace"
import { FactsLog } from "@trunkline/warehouse"
import { Deferred, Effect, Exit, Fiber, Layer } from "effect"
import { PersonErasure } from "../../src/operations/PersonErasure.js"

const place = testPlace("person-erasure")
const phone = PhoneNumber.make("+919876543210")
const numbers = [1, 2, 3]
const removedTraces: Array<string> = []

/** Stores that find three calls of a person, and a store of recordings that waits with one of them. */
const stores = (log: Array<string>, arrived: Deferred.Deferred<void>, opened: Deferred.Deferred<void>) =>
  Layer.mergeAll(
    CallRecords.layerMemory,
    FactsLog.layerMemory,
    Transactions.layerMemory,
    Layer.mock(CallTraces, {
      remove: (_, id) => Effect.sync(() => void removedTraces.push(id))
    }),
    Layer.mock(FileStore, { size: () => Effect.succeedNone }),
    Layer.mock(Recordings, {
      remove: (_, id) =>
        Effect.gen(function*() {
          log.push(`begin ${id.slice(-1)}`)
          // The second one of the first erasure.
          if (log.length === 3) {
            yield* Deferred.succeed(arrived, undefined)
            yield* Deferred.await(opened)
          }
          log.push(`end ${id.slice(-1)}`)
        })
    }),
    Layer.succeed(PersonData, {
      find: () =>
        Effect.succeed({
          identifiers: [],
          attempts: numbers.map((number) => attemptId(place, number)),
          cohorts: [CohortId.make("coh-a1b2c3d4e5f6")],
          open: { attempts: 0, contacts: 0, webhooks: 0 }
        }),
      remove: () =>
        Effect.sync(() => {
          log.push("rows")
          return { attempts: 3, webhooks: 0, contacts: 0, cohort_rows: 0, dials: 0 }
        })
    })
  )

describe("an erasure of a person", () => {
  it.effect("can be interrupted between records, and a second one erases the rest", () =>
    Effect.gen(function*() {
      const log: Array<string> = []
      const [arrived, opened] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      yield* Effect.gen(function*() {
        const records = yield* CallRecords
        yield* records.recordMany(numbers.map((number) => ({
          record: callRecord(place, number),
          transcript: transcriptOf(place, number, "Hello")
        })))
        const { person } = yield* PersonErasure
        const first = yield* Effect.fork(person(place.scope, phone))
        yield* Deferred.await(arrived)
        const ended = yield* Effect.fork(Fiber.interrupt(first))
        yield* Effect.yieldNow()
        yield* Deferred.succeed(opened, undefined)
        assert.isTrue(Exit.isInterrupted(yield* Fiber.join(ended)))
        // The recording that was being removed is gone, no other one was begun, and what leads to the others is there.
        assert.deepStrictEqual(log.splice(0), ["begin 1", "end 1", "begin 2", "end 2"])
        const receipt = yield* person(place.scope, phone)
        assert.include(receipt, { complete: true, phone_ending: "3210" })
        assert.strictEqual(receipt.erased.calls, 3)
        assert.strictEqual(log.at(-1), "rows")
        assert.sameMembers(removedTraces, numbers.map((number) => attemptId(place, number)))
        assert.sameMembers(log.filter((line) => line.startsWith("end")), ["end 1", "end 2", "end 3"])
      }).pipe(Effect.provide(Layer.provideMerge(PersonErasure.layer, stores(log, arrived, opened))))
    }))
})
