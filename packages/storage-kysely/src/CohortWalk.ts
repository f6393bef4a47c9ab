import type { CohortCategory, CohortOwner, UserCursor, WalkedUser } from "@trunkline/cohorts"
import { CohortId } from "@trunkline/kernel"
import type { Kysely } from "kysely"
import { readPerson } from "./CohortPeople.js"
import type { Database } from "./Database.js"

/** The columns of an owner's cohorts. */
export interface OwnerColumns {
  readonly org_id: string
  readonly workspace_id: string
  readonly owner_kind: CohortOwner["kind"]
  readonly owner_id: string
}

/**
 * The next people of an owner's completed cohorts. A query per cohort, and not one over all, because it begins and
 * ends at places of an index, however many people come before and after.
 */
export const walkUsers = async (
  db: Kysely<Database>,
  owner: OwnerColumns,
  { after, category, limit }: {
    readonly category: CohortCategory
    readonly after: UserCursor | null
    readonly limit: number
  }
): Promise<ReadonlyArray<WalkedUser>> => {
  const walked: Array<WalkedUser> = []
  let { completed_seq, row } = after ?? { completed_seq: 0, row: 0 }
  while (walked.length < limit) {
    const cohort = await db.selectFrom("cohorts").select(["number", "cohort_id", "completed_seq"])
      .where((is) => is.and({ ...owner, cohort_category: category }))
      .where("completed_seq", ">=", completed_seq)
      .orderBy("completed_seq")
      .limit(1)
      .$narrowType<{ completed_seq: number }>()
      .executeTakeFirst()
    if (cohort === undefined) break
    const people = await db.selectFrom("cohort_people").select(["row", "phone", "body"])
      .where("cohort_number", "=", cohort.number)
      .where("row", ">", cohort.completed_seq === completed_seq ? row : 0)
      .orderBy("row")
      .limit(limit - walked.length)
      .execute()
    const cohort_id = CohortId.make(cohort.cohort_id)
    for (const person of people) {
      const cursor = { completed_seq: cohort.completed_seq, row: person.row }
      walked.push({ cursor, cohort_id, user: readPerson(person) })
    }
    completed_seq = cohort.completed_seq + 1
    row = 0
  }
  return walked
}
