import { makeFolder } from "@trunkline/sqlite"
import { Data, Effect, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Secrets } from "./Secrets.js"

/** The data folder cannot be created or used. */
export class DataFolderUnusable extends Data.TaggedError("DataFolderUnusable")<{
  readonly folder: string
  /** Reason, as the operating system states it. */
  readonly reason: string
  /** Error of the operating system. */
  readonly cause: unknown
}> {
  override get message() {
    return `The data folder ${this.folder} cannot be used: ${this.reason}`
  }
}

/** Files of the secrets. */
type Purpose = "contact-salt" | "seal-key"

/** Data folder of an engine: its database, its warehouses, its indexes of knowledge and its secrets. */
export interface DataFolder extends Secrets {
  readonly database: string
  readonly warehouse: string
  readonly knowledge: string
}

const freshSecret = () => randomBytes(32).toString("hex")

/** Makes a secret for an engine that keeps nothing. */
export const makeSecret = (): Redacted.Redacted => Redacted.make(freshSecret())

/** Creates a data folder that only this user can read, unless it exists. It keeps secrets, unless some are given. */
export const openDataFolder = (folder: string, secrets?: Secrets): Effect.Effect<DataFolder, DataFolderUnusable> => {
  const attempt = <A>(work: () => A): Effect.Effect<A, DataFolderUnusable> =>
    Effect.try({
      try: work,
      catch: (error) =>
        new DataFolderUnusable({ folder, reason: error instanceof Error ? error.message : String(error), cause: error })
    })
  const secret = (purpose: Purpose) => {
    const file = join(folder, purpose)
    if (!existsSync(file)) writeFileSync(file, freshSecret(), { mode: 0o600 })
    return Redacted.make(readFileSync(file, "utf8"))
  }
  return attempt(() => {
    makeFolder(folder)
    return {
      database: join(folder, "trunkline.db"),
      warehouse: join(folder, "warehouse"),
      knowledge: join(folder, "knowledge"),
      ...(secrets ?? { contactSalt: secret("contact-salt"), sealKey: secret("seal-key") })
    }
  })
}
