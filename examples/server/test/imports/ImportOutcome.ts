import { CohortStore, type UserCursor } from "@trunkline/cohorts"
import { OrgId, Scope, WorkspaceId } from "@trunkline/kernel"
import { StorageSqlite } from "@trunkline/sqlite"
import { Effect, type Layer, Option } from "effect"
import { createHash } from "node:crypto"
import { readdirSync } from "node:fs"
import { join } from "node:path"

const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })
const pageSize = 5_000

/** The stores of a data folder that no server uses. */
export const storesIn = (data: string) => StorageSqlite.layer({ file: join(data, "trunkline.db") })

/** Result of an import: its contacts, and the contacts found by number. */
export const peopleIn = <E>(stores: Layer.Layer<CohortStore, E>, campaign: string) =>
  Effect.gen(function*() {
    const store = yield* CohortStore
    const owner = { kind: "campaign", id: campaign } as const
    const people = createHash("sha256")
    const callers = createHash("sha256")
    let count = 0
    for (let after: UserCursor | null = null;;) {
      const page: Effect.Effect.Success<ReturnType<typeof store.usersAfter>> = yield* store.usersAfter(scope, owner, {
        category: "cohort",
        after,
        limit: pageSize
      })
      for (const { user } of page) {
        people.update(JSON.stringify(user))
        if (count++ % 499 > 0) continue
        const found = yield* store.findCaller(scope, owner, user.user_phone_number)
        callers.update(`${Option.getOrNull(found)?.user.row}\n`)
      }
      after = page.at(-1)?.cursor ?? null
      if (page.length < pageSize) return { count, people: people.digest("hex"), callers: callers.digest("hex") }
    }
  }).pipe(Effect.provide(stores), Effect.runPromise)

/** The kinds of files that a data folder keeps, whosever they are. */
export const filesIn = (data: string): ReadonlyArray<string> =>
  readdirSync(join(data, "files")).map((name) => name.replace(/^coh-[^@]*@/, "")).sort()
