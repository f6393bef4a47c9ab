import { AttemptId, CohortId, PersonData, unchecked } from "@trunkline/kernel"
import { Effect, Layer } from "effect"
import type { Kysely } from "kysely"
import type { Database } from "../schema/Database.js"
import { sqlText } from "../sql/Rows.js"
import { Sql } from "../sql/Sql.js"
import type { SqlValue } from "../sql/Statement.js"

/** A number of digits that no country has, in place of an erased one; each contact of a campaign has another. */
const erasedNumber = "'+999' || substr('0000000000' || seat, -10)"
const erasedNumberOnPostgres = "'+999' || lpad(cast(seat as text), 10, '0')"

/** Identifier of an erased contact. */
const erasedName = "erased"

interface Found {
  readonly attempt_id: string
  readonly state: string
  readonly user_identifier: string | null
}

/** `PersonData` in SQL. Attempts are looked through one by one, since no index has their numbers. */
export const PersonDataSql = {
  layer: Layer.effect(
    PersonData,
    Effect.gen(function*() {
      const { dialect, query } = yield* Sql
      const { field, firstText, kind, textRows } = dialect
      const idRows = `select value from ${textRows("id")}`

      const run = <Row>(text: string, ...values: ReadonlyArray<SqlValue>) =>
        query((db: Kysely<Database>) => sqlText<Row>(text, ...values).execute(db))

      const rowsOf = <Row>(text: string, ...values: ReadonlyArray<SqlValue>) =>
        Effect.map(run<Row>(text, ...values), ({ rows }) => rows)

      const change = (text: string, ...values: ReadonlyArray<SqlValue>) =>
        Effect.map(run(text, ...values), ({ numAffectedRows }) => Number(numAffectedRows ?? 0))

      const digitsOf = (phone: string) => Number(phone.slice(1))

      const contactsOf = `from campaigns join contacts
        on contacts.campaign_id = campaigns.campaign_id and contacts.user_phone_number = ?
        where campaigns.org_id = ? and campaigns.workspace_id = ?`

      const listedText = `from cohort_callers join cohorts on cohorts.number = cohort_callers.cohort_number
        where cohort_callers.phone = ? and cohorts.org_id = ? and cohorts.workspace_id = ?`

      return {
        find: ({ org_id, workspace_id }, phone) =>
          Effect.gen(function*() {
            const attempts = yield* rowsOf<Found>(
              `select attempt_id, state, ${field("body", "user_identifier")} as user_identifier from attempts
                where ${field("body", "user_phone_number")} = ? and ${field("body", "org_id")} = ?
                  and ${field("body", "workspace_id")} = ?`,
              phone,
              org_id,
              workspace_id
            )
            const contacts = yield* rowsOf<{ state: string; user_identifier: string }>(
              `select contacts.state as state, contacts.user_identifier as user_identifier ${contactsOf}`,
              phone,
              org_id,
              workspace_id
            )
            const cohorts = yield* rowsOf<{ cohort_id: string; user_identifier: string | null }>(
              `select cohorts.cohort_id as cohort_id, (
                  select ${firstText("cohort_people.body")} from cohort_people
                  where cohort_people.cohort_number = cohort_callers.cohort_number
                    and cohort_people.row = cohort_callers.row
                ) as user_identifier ${listedText}`,
              digitsOf(phone),
              org_id,
              workspace_id
            )
            const endedAttempts = attempts.filter(({ state }) => state === "ended")
            const [pending] = yield* rowsOf<{ total: number }>(
              `select count(*) as total from outbox where state = 'pending' and attempt_id in (${idRows})`,
              JSON.stringify(attempts.map(({ attempt_id }) => attempt_id))
            )
            const names = [...attempts, ...contacts, ...cohorts].flatMap(({ user_identifier }) =>
              user_identifier === null || user_identifier === "" || user_identifier === erasedName
                ? []
                : [user_identifier]
            )
            return {
              identifiers: [...new Set(names)],
              attempts: endedAttempts.map(({ attempt_id }) => AttemptId.make(attempt_id, unchecked)),
              cohorts: [...new Set(cohorts.map(({ cohort_id }) => cohort_id))].map((id) =>
                CohortId.make(id, unchecked)
              ),
              open: {
                attempts: attempts.length - endedAttempts.length,
                contacts: contacts.filter(({ state }) => state !== "finished").length,
                webhooks: Number(pending?.total ?? 0)
              }
            }
          }),
        remove: ({ org_id, workspace_id }, phone, { attempts }) =>
          Effect.gen(function*() {
            const ids = JSON.stringify(attempts)
            const scopeValues = [phone, org_id, workspace_id] as const
            const webhooks = yield* change(
              `delete from outbox where state <> 'pending' and attempt_id in (${idRows})`,
              ids
            )
            yield* change(`delete from call_events where attempt_id in (${idRows})`, ids)
            const attemptCount = yield* change(
              `delete from attempts where state = 'ended' and attempt_id in (${idRows})`,
              ids
            )
            const seats = yield* rowsOf<{ campaign_id: string; seat: number }>(
              `select contacts.campaign_id as campaign_id, contacts.seat as seat ${contactsOf} and contacts.state = 'finished'`,
              ...scopeValues
            )
            for (const { campaign_id, seat } of seats) {
              yield* change(
                `update contacts set user_identifier = '${erasedName}',
                    user_phone_number = ${kind === "postgres" ? erasedNumberOnPostgres : erasedNumber}
                  where campaign_id = ? and seat = ?`,
                campaign_id,
                seat
              )
              const [person] = yield* rowsOf<{ body: string }>(
                "select body from contact_people where campaign_id = ? and seat = ?",
                campaign_id,
                seat
              )
              const [cohort, , overrides]: ReadonlyArray<unknown> = JSON.parse(person?.body ?? "[]")
              yield* change(
                "update contact_people set body = ? where campaign_id = ? and seat = ?",
                JSON.stringify([cohort, {}, overrides]),
                campaign_id,
                seat
              )
            }
            const numbers = `select cohorts.number from cohorts where cohorts.org_id = ? and cohorts.workspace_id = ?`
            const rows = yield* change(
              `delete from cohort_people where phone = ? and cohort_number in (${numbers})`,
              digitsOf(phone),
              org_id,
              workspace_id
            )
            yield* change(
              `delete from cohort_callers where phone = ? and cohort_number in (${numbers})`,
              digitsOf(phone),
              org_id,
              workspace_id
            )
            const dials = yield* change(
              "delete from number_dials where user_phone_number = ? and org_id = ? and workspace_id = ?",
              ...scopeValues
            )
            return { attempts: attemptCount, webhooks, contacts: seats.length, cohort_rows: rows, dials }
          })
      } satisfies PersonData.Service
    })
  )
}
