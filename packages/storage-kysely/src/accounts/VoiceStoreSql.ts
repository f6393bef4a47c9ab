import { Voice, voiceColumns, voiceSorts, VoiceStore } from "@trunkline/speech"
import { Effect, Layer, Option } from "effect"
import { sql } from "kysely"
import { jsonColumn, pageOfRows, searchText } from "../sql/Rows.js"
import { Sql } from "../sql/Sql.js"

const { decode, encode, read } = jsonColumn(Voice)

const rowOf = (account_id: string, voice: Voice) => ({
  account_id,
  voice_id: voice.voice_id,
  search: searchText(voiceColumns.text(voice)),
  name: voice.name,
  created_at: voice.created_at.epochMillis,
  body: encode(voice)
})

/** `VoiceStore` in SQL. */
export const VoiceStoreSql = {
  layer: Layer.effect(
    VoiceStore,
    Effect.gen(function*() {
      const { dialect, query, transaction } = yield* Sql
      return VoiceStore.of({
        insert: (account_id, voice, clip) =>
          transaction(query(async (db) => {
            const row = rowOf(account_id, voice)
            await db.insertInto("voices").values(row).execute()
            await db.insertInto("voice_clips").values({ voice_id: row.voice_id, clip }).execute()
          })),
        find: (account_id, voice_id) =>
          query((db) =>
            db.selectFrom("voices").select("body").where((eb) => eb.and({ voice_id, account_id })).executeTakeFirst()
          ).pipe(Effect.map(read)),
        clip: (account_id, voice_id) =>
          query((db) =>
            db.selectFrom("voices")
              .innerJoin("voice_clips", "voice_clips.voice_id", "voices.voice_id")
              .select("clip")
              .where("voices.voice_id", "=", voice_id)
              .where("account_id", "=", account_id)
              .executeTakeFirst()
          ).pipe(Effect.map(Option.fromNullable), Effect.map(Option.map(({ clip }) => new Uint8Array(clip)))),
        count: (account_id) =>
          query((db) =>
            db.selectFrom("voices")
              .select((of) => of.fn.countAll<number>().as("count"))
              .where("account_id", "=", account_id)
              .executeTakeFirstOrThrow()
          ).pipe(Effect.map(({ count }) => count)),
        list: (account_id, page) =>
          query((db) =>
            pageOfRows(
              db.selectFrom("voices").where("account_id", "=", account_id),
              page,
              { id: "voice_id", dialect, sortable: voiceSorts, decode }
            )
          ),
        remove: (account_id, voice_id) =>
          transaction(query(async (db) => {
            const ownedQuery = db.selectFrom("voices").select("voice_id").where((eb) =>
              eb.and({ voice_id, account_id })
            )
            if (dialect.blank !== null) {
              // A deleted row's bytes stay in the file until their pages are reused, so the recording is overwritten first.
              await db.updateTable("voice_clips")
                .set({ clip: sql.raw(dialect.blank("clip")) })
                .where("voice_id", "in", ownedQuery)
                .execute()
            }
            const { numDeletedRows } = await db.deleteFrom("voices")
              .where((eb) => eb.and({ voice_id, account_id }))
              .executeTakeFirstOrThrow()
            return numDeletedRows > 0
          }))
      })
    })
  )
}
