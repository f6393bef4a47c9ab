import type { Cohort } from "../Cohort.js"

/** What cohorts can be sorted by (shapes 0.4). */
export const cohortSortable = ["created_at", "updated_at", "name", "status"] as const

/** How cohorts are searched and sorted (shapes 0.4). */
export const cohortColumns = {
  id: (row: Cohort) => row.cohort_id,
  text: (row: Cohort) => [row.name, row.cohort_id],
  sortKey: (row: Cohort, by: string): string | number => {
    switch (by) {
      case "name":
      case "status":
        return row[by]
      case "updated_at":
        return row.updated_at.epochMillis
      default:
        return row.created_at.epochMillis
    }
  }
}
