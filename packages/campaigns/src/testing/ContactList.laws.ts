import { assert, layer } from "@effect/vitest"
import { Array, Effect, FastCheck, type Layer } from "effect"
import type { ContactListing, ContactState } from "../contacts/Contact.js"
import { hold } from "../contacts/GateResult.js"
import type { DispatchStores } from "../store/DispatchStores.js"
import { contact, enrolled, now, number, start } from "./Fixtures.js"

const everything: ContactListing = { state: null, reason: null, search: "", limit: 100, after: null, before: null }

/** The laws of listing contacts. */
export const contactListLaws = <E>(name: string, live: Layer.Layer<DispatchStores, E>) =>
  layer(live)(`ContactStore lists: ${name}`, (it) => {
    const numbersOf = (of: Effect.Effect.Success<ReturnType<typeof enrolled>>, listing: Partial<ContactListing> = {}) =>
      Effect.map(
        of.contacts.list(of.campaign_id, { ...everything, ...listing }),
        (contacts) => contacts.map((one) => one.contact.user_phone_number)
      )

    it.effect("lists complete contacts in the order of enrolment, in any state", () =>
      Effect.gen(function*() {
        const of = yield* enrolled("list", 5, 3, 4)
        yield* of.claim(5)
        yield* of.settle(5, 900)
        yield* of.contacts.enrol(of.campaign_id, [contact(of.campaign_id, 1)], start)
        const contacts = yield* of.contacts.list(of.campaign_id, everything)
        assert.deepStrictEqual(contacts.map((one) => one.contact.user_phone_number), [5, 3, 4, 1].map(number))
        assert.deepStrictEqual(contacts[1]?.contact, contact(of.campaign_id, 3))
        const seats = contacts.map(({ seat }) => seat)
        assert.deepStrictEqual(seats, seats.toSorted((a, b) => a - b))
        assert.deepStrictEqual(yield* numbersOf(yield* enrolled("list-none")), [])
      }))

    it.effect("filters by state and reason", () =>
      Effect.gen(function*() {
        const of = yield* enrolled("list-by", 1, 2, 3, 4, 5, 6)
        for (const index of [1, 2, 3]) yield* of.claim(index)
        yield* of.settle(2, null)
        yield* of.settle(3, 700)
        yield* of.stop(5)
        const decision = hold("daily_cap", now, 900)
        yield* of.queue.defer(of.campaign_id, [{ user_phone_number: number(6), due_at: 900, decision }])
        const states: ReadonlyArray<readonly [ContactState, ReadonlyArray<number>]> = [
          ["waiting", [3, 4, 6]],
          ["calling", [1]],
          ["finished", [2, 5]]
        ]
        for (const [state, indexes] of states) {
          assert.deepStrictEqual(yield* numbersOf(of, { state }), indexes.map(number))
        }
        assert.deepStrictEqual(yield* numbersOf(of, { reason: "new" }), [4].map(number))
        assert.deepStrictEqual(yield* numbersOf(of, { reason: "stopped" }), [5].map(number))
        assert.deepStrictEqual(yield* numbersOf(of, { reason: "daily_cap", state: "waiting" }), [6].map(number))
        assert.deepStrictEqual(yield* numbersOf(of, { reason: "daily_cap", state: "calling" }), [])
        assert.deepStrictEqual(yield* numbersOf(of, { reason: "campaign_paused" }), [])
      }))

    it.effect("searches by a whole number or identifier", () =>
      Effect.gen(function*() {
        const of = yield* enrolled("list-search", 1, 2)
        const same = [3, 4].map((index) => contact(of.campaign_id, index, { user_identifier: "a_b%" }))
        yield* of.contacts.enrol(of.campaign_id, same, start)
        assert.deepStrictEqual(yield* numbersOf(of, { search: number(2) }), [number(2)])
        assert.deepStrictEqual(yield* numbersOf(of, { search: "a_b%" }), [3, 4].map(number))
        assert.deepStrictEqual(yield* numbersOf(of, { search: "a_b%", limit: 1 }), [number(3)])
        assert.deepStrictEqual(yield* numbersOf(of, { search: "user-1", state: "waiting" }), [number(1)])
        assert.deepStrictEqual(yield* numbersOf(of, { search: "user-1", state: "finished" }), [])
        assert.deepStrictEqual(yield* numbersOf(of, { search: "user" }), [])
      }))

    let runs = 0
    it.effect.prop(
      "pages through all matching contacts once and in order, forwards and backwards",
      [
        FastCheck.array(FastCheck.constantFrom("wait", "stop"), { maxLength: 20 }),
        FastCheck.integer({ min: 1, max: 5 })
      ],
      ([fates, limit]) =>
        Effect.gen(function*() {
          const of = yield* enrolled(`list-pages-${++runs}`, ...fates.keys())
          for (const [index, fate] of fates.entries()) if (fate === "stop") yield* of.stop(index)
          for (const state of [null, "waiting"] as const) {
            const numbers = Array.filterMap(fates, (fate, index) =>
              Array.head(state === null || fate === "wait" ? [number(index)] : []))
            const walk = (after: number | null): Effect.Effect<ReadonlyArray<readonly [number, string]>> =>
              Effect.gen(function*() {
                const page = yield* of.contacts.list(of.campaign_id, { ...everything, state, limit, after })
                const rows = page.map((one) =>
                  [one.seat, one.contact.user_phone_number] as const
                )
                const last = rows.at(-1)
                return last === undefined ? [] : [...rows, ...(yield* walk(last[0]))]
              })
            const forwards = yield* walk(null)
            assert.deepStrictEqual(forwards.map(([, phoneNumber]) => phoneNumber), numbers)
            for (const [place, [seat]] of forwards.entries()) {
              const before = yield* numbersOf(of, { state, limit, before: seat })
              assert.deepStrictEqual(before, numbers.slice(Math.max(0, place - limit), place))
            }
          }
        }),
      { fastCheck: { numRuns: 15 } }
    )
  })
