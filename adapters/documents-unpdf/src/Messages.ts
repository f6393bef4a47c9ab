import { DocumentKind, Passage } from "@trunkline/knowledge"
import { Schema } from "effect"

/** A file on its way to a thread, in memory that goes to it. */
export interface ReadJob {
  readonly filename: string | null
  readonly contentType: string | null
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly current: string | null
}

/** Reply of a thread. `Broken` names the kind of error and none of the data. */
export const ReadReply = Schema.Union(
  Schema.TaggedStruct("Read", {
    document: Schema.Struct({
      kind: DocumentKind,
      title: Schema.NullOr(Schema.String),
      hash: Schema.String,
      pages: Schema.NullOr(Schema.Number),
      passages: Schema.NullOr(Schema.Array(Passage))
    })
  }),
  Schema.TaggedStruct("Refused", { message: Schema.String }),
  Schema.TaggedStruct("Broken", { kind: Schema.String })
)
export type ReadReply = typeof ReadReply.Type
