import { makeCounter } from "@trunkline/kernel"
import type { CohortOutcome } from "../store/CohortRecords.js"

const importedCohorts = makeCounter({
  name: "trunkline_imports_total",
  help: "Cohorts whose import has ended",
  labels: { result: ["completed", "failed"] }
})

const importedRows = makeCounter({
  name: "trunkline_import_rows_total",
  help: "Rows of imported cohorts",
  labels: { result: ["valid", "rejected"] }
})

/** Counts an import that has ended. */
export const countImport = (outcome: CohortOutcome): void => {
  importedCohorts.add(1, { result: outcome.status })
  if (outcome.status === "failed") return
  importedRows.add(outcome.result.valid_records, { result: "valid" })
  importedRows.add(outcome.result.rejected_records, { result: "rejected" })
}
