import { calledFrom, Contact, DispatchStore, released, settled } from "@trunkline/campaigns"
import type { CampaignId, PhoneNumber } from "@trunkline/kernel"
import { Effect, Layer, Option } from "effect"
import { type Kysely, sql } from "kysely"
import type { Database } from "./Database.js"
import { bodyOf, inBatches } from "./Rows.js"
import { Sql } from "./Sql.js"

const { encode, read } = bodyOf(Contact)

const rowOf = (contact: Contact, place: number) => ({
  campaign_id: contact.campaign_id,
  user_phone_number: contact.user_phone_number,
  state: contact.state,
  due_at: contact.due_at,
  place,
  body: encode(contact)
})

const nobody = { waiting: 0, calling: 0, finished: 0 }

/** Adds to a campaign's counts, and keeps so many places at the end of its line; answers the first of them. */
const count = async (
  db: Kysely<Database>,
  campaign_id: CampaignId,
  change: typeof nobody & { readonly places: number }
) => {
  const { arrivals } = await db.updateTable("dispatch")
    .set((now) => ({
      arrivals: now("arrivals", "+", change.places),
      waiting: now("waiting", "+", change.waiting),
      calling: now("calling", "+", change.calling),
      finished: now("finished", "+", change.finished)
    }))
    .where("campaign_id", "=", campaign_id)
    .returning("arrivals")
    .executeTakeFirstOrThrow()
  return arrivals - change.places
}

/** Adds the people whose numbers the campaign has not yet. */
const enrol = async (db: Kysely<Database>, campaign_id: CampaignId, contacts: ReadonlyArray<Contact>) => {
  const first = await count(db, campaign_id, { ...nobody, places: contacts.length })
  const added = await db.insertInto("contacts")
    .values(contacts.map((contact, index) => rowOf(contact, first + index)))
    .onConflict((conflict) => conflict.columns(["campaign_id", "user_phone_number"]).doNothing())
    .returning("state")
    .execute()
  const counts = { ...nobody, places: 0 }
  for (const { state } of added) counts[state] += 1
  await count(db, campaign_id, counts)
}

/** Replaces a contact; who waits again stands at the end of the line. */
const replace = async (db: Kysely<Database>, before: Contact, after: Contact) => {
  const counts = { ...nobody, places: 1 }
  counts[before.state] -= 1
  counts[after.state] += 1
  const place = await count(db, after.campaign_id, counts)
  const { campaign_id, user_phone_number } = after
  await db.updateTable("contacts").set(rowOf(after, place))
    .where((is) => is.and({ campaign_id, user_phone_number }))
    .execute()
}

/** Finishes those of these people who wait. */
const stop = async (db: Kysely<Database>, campaign_id: CampaignId, numbers: ReadonlyArray<PhoneNumber>) => {
  const { numUpdatedRows } = await db.updateTable("contacts")
    .set({
      state: "finished",
      body: sql<string>`json_set(body, '$.state', 'finished', '$.finished_because', 'stopped')`
    })
    .where((is) => is.and({ campaign_id, state: "waiting" }))
    .where("user_phone_number", "in", numbers)
    .executeTakeFirst()
  const finished = Number(numUpdatedRows)
  if (finished > 0) await count(db, campaign_id, { waiting: -finished, calling: 0, finished, places: 0 })
}

/** `DispatchStore` in SQL. */
export const DispatchStoreSql = {
  layer: Layer.effect(
    DispatchStore,
    Effect.gen(function*() {
      const { query, transaction } = yield* Sql

      const find = (campaign_id: CampaignId, user_phone_number: PhoneNumber) =>
        query((db) =>
          db.selectFrom("contacts").select("body")
            .where((is) => is.and({ campaign_id, user_phone_number }))
            .executeTakeFirst()
        ).pipe(Effect.map(read))

      const change = (
        { campaign_id, user_phone_number }: Pick<Contact, "campaign_id" | "user_phone_number">,
        when: (contact: Contact) => boolean,
        to: (contact: Contact) => Contact
      ) =>
        find(campaign_id, user_phone_number).pipe(
          Effect.map(Option.filter(when)),
          Effect.flatMap(Effect.transposeMapOption((before) => query((db) => replace(db, before, to(before))))),
          Effect.map(Option.isSome),
          transaction
        )

      return DispatchStore.of({
        enrol: (campaign_id, contacts, { completed_seq, row }) =>
          query((db) =>
            db.insertInto("dispatch").values({ campaign_id, completed_seq, row })
              .onConflict((conflict) => conflict.column("campaign_id").doUpdateSet({ completed_seq, row }))
              .execute()
          ).pipe(
            Effect.zipRight(inBatches(contacts, (batch) => query((db) => enrol(db, campaign_id, batch)))),
            transaction,
            Effect.asVoid
          ),
        cursor: (campaign) =>
          query((db) =>
            db.selectFrom("dispatch").select(["completed_seq", "row"])
              .where("campaign_id", "=", campaign)
              .where("completed_seq", ">", 0)
              .executeTakeFirst()
          ).pipe(Effect.map((row) => row ?? null)),
        nextWaiting: (campaign) =>
          query((db) =>
            db.selectFrom("contacts").select("body")
              .where("campaign_id", "=", campaign)
              .where(sql<boolean>`state = 'waiting'`)
              .orderBy("due_at")
              .orderBy("place")
              .limit(1)
              .executeTakeFirst()
          ).pipe(Effect.map(read)),
        claim: ({ attempt_id, from, ...person }) =>
          change(person, ({ state }) => state === "waiting", (contact) => calledFrom(contact, attempt_id, from)),
        settle: ({ attempt_id, next, ...person }) =>
          Effect.asVoid(
            change(person, (contact) => contact.attempt_id === attempt_id, (contact) => settled(contact, next))
          ),
        release: ({ attempt_id, ...person }) =>
          Effect.asVoid(change(person, (contact) => contact.attempt_id === attempt_id, released)),
        stop: (campaign, numbers) =>
          Effect.asVoid(transaction(inBatches(numbers, (batch) => query((db) => stop(db, campaign, batch))))),
        stopCursor: (campaign) =>
          query((db) =>
            db.selectFrom("dispatch").select(["stops_seq as completed_seq", "stops_row as row"])
              .where("campaign_id", "=", campaign)
              .where("stops_seq", ">", 0)
              .executeTakeFirst()
          ).pipe(Effect.map((row) => row ?? null)),
        setStopCursor: (campaign_id, { completed_seq: stops_seq, row: stops_row }) =>
          Effect.asVoid(
            query((db) =>
              db.insertInto("dispatch").values({ campaign_id, completed_seq: 0, row: 0, stops_seq, stops_row })
                .onConflict((conflict) => conflict.column("campaign_id").doUpdateSet({ stops_seq, stops_row }))
                .execute()
            )
          ),
        find,
        counts: (campaign) =>
          query((db) =>
            db.selectFrom("dispatch").select(["waiting", "calling", "finished"])
              .where("campaign_id", "=", campaign)
              .executeTakeFirst()
          ).pipe(Effect.map((counts) => counts ?? nobody))
      })
    })
  )
}
