import type { CohortId } from "@trunkline/kernel"
import { Schema, type Stream } from "effect"

/** The files of a cohort that can be downloaded (shapes 4.6). */
export const CohortFileType = Schema.Literal("cohort", "rejected_records", "cohort_transformation")
export type CohortFileType = typeof CohortFileType.Type

/** A file to download. */
export interface CohortFile {
  readonly filename: string
  readonly contentType: string
  /** In bytes, where that is known. */
  readonly size?: number
  readonly bytes: Stream.Stream<Uint8Array>
}

/** The key of a file in the `FileStore`. */
export const fileKey = (id: CohortId, type: CohortFileType): string => `${id}/${type}`

/** How a file is offered: by its name and content type (shapes 4.6). */
export const fileDescription = (id: CohortId, type: CohortFileType): Pick<CohortFile, "contentType" | "filename"> =>
  type === "cohort_transformation"
    ? { filename: `${id}_${type}.json`, contentType: "application/json" }
    : { filename: `${id}_${type}.csv`, contentType: "text/csv; charset=utf-8" }
