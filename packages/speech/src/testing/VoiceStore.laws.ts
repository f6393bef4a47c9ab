import { assert, layer } from "@effect/vitest"
import { type PageRequest, Transactions, VoiceId } from "@trunkline/kernel"
import { Cause, DateTime, Effect, Exit, type Layer, Option } from "effect"
import { Voice, voiceSorts, VoiceStore } from "../voices/VoiceStore.js"

const at = (second: number) => DateTime.unsafeMake({ year: 2026, month: 1, day: 31, hours: 12, seconds: second })

const idOf = (name: string) => VoiceId.make(`svc-${name}`)

const voice = (id: string, change: Partial<Voice> = {}) =>
  new Voice({
    voice_id: idOf(id),
    name: id,
    language: "hi-IN",
    style: "conversational",
    gender: null,
    reference_text: "",
    reference_duration: 12.345,
    created_at: at(0),
    ...change
  })

/** Bytes in which every value occurs, from a length of 256 on. */
const bytes = (length: number, seed: number) =>
  Uint8Array.from({ length }, (_, index) => index * 31 + (index >> 8) + seed)

const small = bytes(64, 0)

/** Compares a clip with expected bytes, for any kind of byte array. */
const hasBytes = (clip: Option.Option<Uint8Array>, content: Uint8Array) =>
  Option.exists(
    clip,
    (bytes) => bytes.length === content.length && content.every((byte, index) => byte === bytes[index])
  )

type Request = PageRequest<(typeof voiceSorts)[number]>

const newest: Request = { offset: 0, limit: 10, sort_by: "created_at", sort_order: "desc", search: "" }

/** Laws of `VoiceStore`. Every test uses its own account and ids, so rows may live as long as the layer. */
export const voiceStoreLaws = <E>(name: string, live: Layer.Layer<VoiceStore | Transactions, E>) =>
  layer(live)(`VoiceStore laws: ${name}`, (it) => {
    const listing = (account: string) => (page: Partial<Request>) =>
      Effect.flatMap(VoiceStore, (store) =>
        Effect.map(
          store.list(account, { ...newest, ...page }),
          ({ items, total }) => [total, ...items.map((item) => item.voice_id)]
        ))

    it.effect("finds a voice as it was inserted, only for its own account", () =>
      Effect.gen(function*() {
        const store = yield* VoiceStore
        const full = voice("find", {
          name: "आवाज़ \"quoted\" % _ '",
          language: "od-IN",
          style: "audiobooks",
          gender: "female",
          reference_text: "நன்றி\n\u2028",
          reference_duration: 14.9999375,
          created_at: DateTime.unsafeMake("2026-01-31T12:00:00.123Z")
        })
        const plain = voice("find-plain")
        yield* store.insert("find", full, small)
        yield* store.insert("find", plain, small)
        assert.deepStrictEqual(yield* store.find("find", full.voice_id), Option.some(full))
        assert.deepStrictEqual(yield* store.find("find", plain.voice_id), Option.some(plain))
        assert.deepStrictEqual(yield* store.find("find-other", full.voice_id), Option.none())
        assert.deepStrictEqual(yield* store.find("find", idOf("find-none")), Option.none())
      }))

    it.effect("stores a clip of 15 seconds at 48 kHz byte for byte, only for its own account", () =>
      Effect.gen(function*() {
        const store = yield* VoiceStore
        const { voice_id } = voice("clip")
        const clip = bytes(1_500_044, 7)
        yield* store.insert("clip", voice("clip"), clip)
        yield* store.insert("clip", voice("clip-small"), small)
        assert.isTrue(hasBytes(yield* store.clip("clip", voice_id), clip))
        assert.isTrue(hasBytes(yield* store.clip("clip", idOf("clip-small")), small))
        assert.isTrue(Option.isNone(yield* store.clip("clip-other", voice_id)))
        assert.isTrue(Option.isNone(yield* store.clip("clip", idOf("clip-none"))))
      }))

    it.effect("copies clips, so that later changes to inserted or returned bytes have no effect", () =>
      Effect.gen(function*() {
        const store = yield* VoiceStore
        const clipBytes = small.slice()
        yield* store.insert("own", voice("own"), clipBytes)
        clipBytes.fill(0)
        const copy = yield* store.clip("own", idOf("own"))
        assert.isTrue(hasBytes(copy, small))
        Option.map(copy, (clip) => clip.fill(0))
        assert.isTrue(hasBytes(yield* store.clip("own", idOf("own")), small))
      }))

    it.effect("dies on an id that any account already uses, and changes nothing", () =>
      Effect.gen(function*() {
        const store = yield* VoiceStore
        yield* store.insert("taken", voice("taken"), small)
        for (const account of ["taken", "taken-other"]) {
          const exit = yield* Effect.exit(store.insert(account, voice("taken", { name: "another" }), bytes(3, 1)))
          assert.isTrue(Exit.isFailure(exit) && Cause.isDie(exit.cause))
        }
        assert.deepStrictEqual(yield* store.find("taken", idOf("taken")), Option.some(voice("taken")))
        assert.isTrue(hasBytes(yield* store.clip("taken", idOf("taken")), small))
        assert.strictEqual(yield* store.count("taken-other"), 0)
      }))

    it.effect("counts the voices of an account", () =>
      Effect.gen(function*() {
        const store = yield* VoiceStore
        assert.strictEqual(yield* store.count("count"), 0)
        yield* store.insert("count", voice("count-a"), small)
        yield* store.insert("count", voice("count-b"), small)
        yield* store.insert("count-other", voice("count-c"), small)
        assert.strictEqual(yield* store.count("count"), 2)
        yield* store.remove("count", idOf("count-a"))
        assert.strictEqual(yield* store.count("count"), 1)
      }))

    it.effect("searches by name and id only, ignoring case", () =>
      Effect.gen(function*() {
        const store = yield* VoiceStore
        const list = listing("search")
        yield* store.insert("search", voice("search-a", { name: "Évening 100%", reference_text: "absent" }), small)
        yield* store.insert("search", voice("search-b", { name: "ÉVEN_ing" }), small)
        yield* store.insert("search", voice("search-c", { name: "रात", created_at: at(1) }), small)
        yield* store.insert("search-other", voice("search-d", { name: "Évening" }), small)
        assert.deepStrictEqual(yield* list({}), [3, "svc-search-c", "svc-search-a", "svc-search-b"])
        assert.deepStrictEqual(yield* list({ search: "éVEN" }), [2, "svc-search-a", "svc-search-b"])
        assert.deepStrictEqual(yield* list({ search: "%" }), [1, "svc-search-a"])
        assert.deepStrictEqual(yield* list({ search: "_" }), [1, "svc-search-b"])
        assert.deepStrictEqual(yield* list({ search: "SEARCH-C" }), [1, "svc-search-c"])
        assert.deepStrictEqual(yield* list({ search: "रात" }), [1, "svc-search-c"])
        assert.deepStrictEqual(yield* list({ search: "absent" }), [0])
      }))

    it.effect("sorts by every sortable field in both orders, breaks ties by ascending id, and returns pages", () =>
      Effect.gen(function*() {
        const store = yield* VoiceStore
        const list = listing("sort")
        yield* store.insert("sort", voice("sort-b", { name: "beta", created_at: at(3) }), small)
        yield* store.insert("sort", voice("sort-a", { name: "beta", created_at: at(3) }), small)
        yield* store.insert("sort", voice("sort-d", { name: "Émile", created_at: at(2) }), small)
        yield* store.insert("sort", voice("sort-c", { name: "Zoe", created_at: at(1) }), small)
        const ascending = { created_at: "cdab", name: "cabd" }
        const descending = { created_at: "abdc", name: "dabc" }
        for (const sort_by of voiceSorts) {
          for (const [sort_order, order] of [["asc", ascending], ["desc", descending]] as const) {
            const ids = [...order[sort_by]].map((letter) => `svc-sort-${letter}`)
            assert.deepStrictEqual(yield* list({ sort_by, sort_order }), [4, ...ids], `${sort_by} ${sort_order}`)
          }
        }
        assert.deepStrictEqual(yield* list({ offset: 1, limit: 2 }), [4, "svc-sort-b", "svc-sort-d"])
        assert.deepStrictEqual(yield* list({ search: "beta", limit: 1 }), [2, "svc-sort-a"])
        assert.deepStrictEqual(yield* list({ offset: 4 }), [4])
      }))

    it.effect("removes a voice with its clip, only for its own account, and frees the id", () =>
      Effect.gen(function*() {
        const store = yield* VoiceStore
        const { voice_id } = voice("remove")
        yield* store.insert("remove", voice("remove"), small)
        assert.isFalse(yield* store.remove("remove-other", voice_id))
        assert.isTrue(Option.isSome(yield* store.find("remove", voice_id)))
        assert.isTrue(yield* store.remove("remove", voice_id))
        assert.isFalse(yield* store.remove("remove", voice_id))
        assert.deepStrictEqual(yield* store.find("remove", voice_id), Option.none())
        assert.isTrue(Option.isNone(yield* store.clip("remove", voice_id)))
        assert.deepStrictEqual(yield* listing("remove")({}), [0])
        yield* store.insert("remove-other", voice("remove"), bytes(5, 5))
        assert.isTrue(hasBytes(yield* store.clip("remove-other", voice_id), bytes(5, 5)))
      }))

    it.effect("rolls voices and clips back when a transaction fails", () =>
      Effect.gen(function*() {
        const store = yield* VoiceStore
        const { run } = yield* Transactions
        const rollBack = <A>(change: Effect.Effect<A>) =>
          Effect.flip(run(Effect.zipRight(change, Effect.fail("undone"))))
        yield* rollBack(store.insert("undone", voice("undone"), bytes(9, 9)))
        assert.strictEqual(yield* store.count("undone"), 0)
        assert.isTrue(Option.isNone(yield* store.clip("undone", idOf("undone"))))
        yield* store.insert("undone", voice("undone"), small)
        yield* rollBack(store.remove("undone", idOf("undone")))
        assert.deepStrictEqual(yield* store.find("undone", idOf("undone")), Option.some(voice("undone")))
        assert.isTrue(hasBytes(yield* store.clip("undone", idOf("undone")), small))
      }))

    it.effect("keeps all changes of a transaction that succeeds", () =>
      Effect.gen(function*() {
        const store = yield* VoiceStore
        const { run } = yield* Transactions
        yield* store.insert("kept", voice("kept-old"), small)
        const replacement = run(Effect.gen(function*() {
          yield* store.remove("kept", idOf("kept-old"))
          yield* store.insert("kept", voice("kept-new"), small)
          return yield* store.count("kept")
        }))
        assert.strictEqual(yield* replacement, 1)
        assert.deepStrictEqual(yield* listing("kept")({}), [1, "svc-kept-new"])
      }))
  })
