import { assert, describe, it } from "@effect/vitest"
import { VoiceId } from "@trunkline/kernel"
import { Voice, VoiceStore } from "@trunkline/speech"
import { Cause, DateTime, Effect, Exit, Layer, Option } from "effect"
import { sql } from "kysely"
import { addVoices } from "./Migrations/AddVoices.js"
import { migrate, migrations } from "./Migrations/Migrate.js"
import { Sql } from "./Sql.js"
import { VoiceStoreSql } from "./VoiceStoreSql.js"

const account_id = "acme"

const voice = new Voice({
  voice_id: VoiceId.make("svc-1"),
  name: "Asha",
  language: "hi-IN",
  style: "conversational",
  gender: "female",
  reference_text: "नमस्ते",
  reference_duration: 12.5,
  created_at: DateTime.unsafeMake("2026-01-31T12:00:00Z")
})

const clip = Uint8Array.of(82, 73, 70, 70, 0, 255)

const newest = { offset: 0, limit: 10, sort_by: "created_at", sort_order: "desc", search: "" } as const

const execute = (statement: string) => Effect.flatMap(Sql, ({ query }) => query((db) => sql.raw(statement).execute(db)))

/** The laws of `VoiceStoreSql` that no other store has, for a database without tables behind some dialect. */
export const voiceStoreSqlLaws = <E>(name: string, empty: Layer.Layer<Sql, E>): void => {
  const live = Layer.provideMerge(VoiceStoreSql.layer, empty)
  describe(`VoiceStoreSql laws: ${name}`, () => {
    it.effect("a database of the version before keeps voices after the migration, and what it held", () =>
      Effect.gen(function*() {
        const { query } = yield* Sql
        yield* migrate(migrations.slice(0, migrations.indexOf(addVoices)))
        yield* execute("insert into accounts (account_id, body) values ('acme', '{}')")
        yield* migrate()
        const store = yield* VoiceStore
        yield* store.insert(account_id, voice, clip)
        assert.deepStrictEqual(yield* store.find(account_id, voice.voice_id), Option.some(voice))
        const accounts = yield* query((db) => db.selectFrom("accounts").selectAll().execute())
        assert.deepStrictEqual(accounts, [{ account_id: "acme", body: "{}" }])
      }).pipe(Effect.provide(live)))

    it.effect("a voice whose clip cannot be kept is not kept either", () =>
      Effect.gen(function*() {
        yield* migrate()
        yield* execute("create trigger full before insert on voice_clips begin select raise(abort, 'full'); end")
        const store = yield* VoiceStore
        const exit = yield* Effect.exit(store.insert(account_id, voice, clip))
        assert.isTrue(Exit.isFailure(exit) && Cause.isDie(exit.cause))
        assert.strictEqual(yield* store.count(account_id), 0)
      }).pipe(Effect.provide(live)))

    it.effect("a clip is read as plain bytes in memory of their own, whatever the driver gives", () =>
      Effect.gen(function*() {
        yield* migrate()
        const store = yield* VoiceStore
        yield* store.insert(account_id, voice, clip)
        const found = yield* Effect.flatten(store.clip(account_id, voice.voice_id))
        assert.deepStrictEqual(found, clip)
        assert.strictEqual(Object.getPrototypeOf(found), Uint8Array.prototype)
        assert.strictEqual(found.buffer.byteLength, clip.length)
      }).pipe(Effect.provide(live)))

    it.effect("nothing of a clip is left where it was when its voice is removed", () =>
      Effect.gen(function*() {
        yield* migrate()
        const store = yield* VoiceStore
        yield* store.insert(account_id, voice, clip)
        yield* execute(
          "create trigger bytes before delete on voice_clips when old.clip <> zeroblob(length(old.clip)) " +
            "begin select raise(abort, 'the clip was not overwritten'); end"
        )
        assert.isTrue(yield* store.remove(account_id, voice.voice_id))
      }).pipe(Effect.provide(live)))

    it.effect("voices are found, counted and listed without a look at their clips", () =>
      Effect.gen(function*() {
        yield* migrate()
        const store = yield* VoiceStore
        yield* store.insert(account_id, voice, clip)
        yield* execute("drop table voice_clips")
        assert.deepStrictEqual(yield* store.find(account_id, voice.voice_id), Option.some(voice))
        assert.strictEqual(yield* store.count(account_id), 1)
        assert.deepStrictEqual(yield* store.list(account_id, newest), { items: [voice], total: 1 })
      }).pipe(Effect.provide(live)))
  })
}
