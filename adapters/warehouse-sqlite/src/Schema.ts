import {
  createStatements,
  deleteFact,
  readState,
  schemaVersion,
  stateTable,
  upsertFact,
  writeState
} from "@trunkline/warehouse"
import { createHash } from "node:crypto"
import type { WriterSettings } from "./Messages.js"

const version = createHash("sha256").update(schemaVersion).digest("hex")

/** What the writer makes of a file. */
export const writerSettings: WriterSettings = {
  version,
  create: createStatements,
  upsert: upsertFact,
  remove: deleteFact,
  readState,
  writeState
}

/** The statement whose value is the workspace that a file of this version belongs to. */
export const whoseFile = `SELECT scope FROM ${stateTable} WHERE version = '${version}'`
