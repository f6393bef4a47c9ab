import { assert, describe, it } from "@effect/vitest"
import { VoiceId } from "@trunkline/kernel"
import { Voice, VoiceStore } from "@trunkline/speech"
import { Cause, DateTime, Effect, Exit, Layer, Option } from "effect"
import { sql } from "kysely"
import { VoiceStoreSql } from "../accounts/VoiceStoreSql.js"
import { addVoices } from "../migrations/AddNotifications.js"
import { migrate, migrations } from "../migrations/Migrate.js"
import { Sql } from "../sql/Sql.js"

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

/** The laws of `VoiceStoreSql` beyond those of every `VoiceStore`, for an empty database behind some dialect. */
export const voiceStoreSqlLaws = <E>(name: string, empty: Layer.Layer<Sql, E>): void => {
  const live = Layer.provideMerge(VoiceStoreSql.layer, empty)
  describe(`VoiceStoreSql laws: ${name}`, () => {
    it.effect("stores voices in a migrated database, which keeps its content", () =>
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

    it.effect("stores no voice whose clip cannot be stored", () =>
      Effect.gen(function*() {
        yield* migrate()
        yield* execute("create trigger full before insert on voice_clips begin select raise(abort, 'full'); end")
        const store = yield* VoiceStore
        const exit = yield* Effect.exit(store.insert(account_id, voice, clip))
        assert.isTrue(Exit.isFailure(exit) && Cause.isDie(exit.cause))
        assert.strictEqual(yield* store.count(account_id), 0)
      }).pipe(Effect.provide(live)))

    it.effect("reads a clip as a plain byte array with its own buffer, whatever the driver returns", () =>
      Effect.gen(function*() {
        yield* migrate()
        const store = yield* VoiceStore
        yield* store.insert(account_id, voice, clip)
        const storedClip = yield* Effect.flatten(store.clip(account_id, voice.voice_id))
        assert.deepStrictEqual(storedClip, clip)
        assert.strictEqual(Object.getPrototypeOf(storedClip), Uint8Array.prototype)
        assert.strictEqual(storedClip.buffer.byteLength, clip.length)
      }).pipe(Effect.provide(live)))

    it.effect("overwrites a clip when its voice is removed", () =>
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

    it.effect("finds, counts and lists voices without reading their clips", () =>
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
