import { Schema } from "effect"

const Samples = Schema.declare((value): value is Int16Array => value instanceof Int16Array)

/** What a thread tells while it speaks: some 16 bit samples, that all is said or was stopped, or that espeak broke. */
const Told = Schema.Union(
  Schema.TaggedStruct("Sound", { samples: Samples }),
  Schema.TaggedStruct("Done", {}),
  Schema.TaggedStruct("Broken", { kind: Schema.String })
)
export type Told = typeof Told.Type

/** Whether a message of a thread is one of these. */
export const isTold = Schema.is(Told)
