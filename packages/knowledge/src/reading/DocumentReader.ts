import { Context, type Effect, Layer } from "effect"
import type { DocumentFile, DocumentRefused, ReadDocument } from "./DocumentFile.js"
import { readPlainly } from "./ReadPlainly.js"

/** Reads the text of files, in passages. A reader never runs what a file holds, nor loads what it refers to. */
export class DocumentReader extends Context.Tag("@trunkline/knowledge/DocumentReader")<DocumentReader, {
  /** Reads a file, unless it has the hash `current`. */
  readonly read: (file: DocumentFile, current: string | null) => Effect.Effect<ReadDocument, DocumentRefused>
}>() {
  /** Reads plain texts and Markdown in this thread: for tests and scripts. Others are refused. */
  static readonly layerPlain = Layer.sync(DocumentReader, () => ({ read: readPlainly }))
}
