import { macroTask, type Scope, scopeKey } from "@trunkline/kernel"
import {
  createStatements,
  deleteFact,
  type FactChange,
  factRow,
  readState,
  schemaVersion,
  stateTable,
  upsertFact,
  writeState
} from "@trunkline/warehouse"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { join } from "node:path"
import type { StoredChange, WorkspaceFile, WriterSettings } from "./Messages.js"

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

const version = sha256(schemaVersion)

/** SQL of the files of workspaces, for the writer. */
export const writerSettings: WriterSettings = {
  version,
  create: createStatements,
  upsert: upsertFact,
  remove: deleteFact,
  readState,
  writeState
}

/** Statement whose value is the workspace of a file of this version. */
export const ownerStatement = `SELECT scope FROM ${stateTable} WHERE version = '${version}'`

/** File of a workspace. Its name is a SHA-256, since ids may contain characters that file names may not. */
export const workspaceFile = (folder: string, workspace: Scope): WorkspaceFile => {
  const scope = scopeKey(workspace)
  return { file: join(folder, `${sha256(scope)}.sqlite`), scope }
}

/** Number of rows that are encoded at once, which takes about a millisecond. */
const encodeBatch = 20

/** Encodes changes for the writer in batches, so that they do not block the event loop. */
export const encodeChanges = (changes: ReadonlyArray<FactChange>): Effect.Effect<ReadonlyArray<StoredChange>> =>
  Effect.gen(function*() {
    const encodedChanges: Array<StoredChange> = []
    for (const [index, { attempt_id, fact }] of changes.entries()) {
      if (index > 0 && index % encodeBatch === 0) yield* macroTask
      encodedChanges.push({ attempt_id, row: fact && factRow(fact) })
    }
    return encodedChanges
  })
