import { DataFolderInUse, makeFolder } from "@trunkline/sqlite"
import { migrations } from "@trunkline/storage-kysely"
import { existsSync, readdirSync, renameSync, rmdirSync, rmSync, statSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { BackupRefused, spaceError } from "./Backup.js"
import { inDatabaseThread } from "./DatabaseThread.js"
import { BackupUnusable, copyHashed, type Manifest, readManifest } from "./Manifest.js"

/** A restored folder. */
export interface RestoreReport {
  readonly folder: string
  readonly files: number
  readonly bytes: number
  /** Time of the snapshot, in ISO 8601: what happened later is unknown to the engine. */
  readonly made_at: string
}

const lockNames = /^trunkline\.db\.owner(-\d+)?$/

/** Fails unless a folder is absent or empty, first of all when an engine uses it. */
const requireFree = async (data: string): Promise<void> => {
  if (!existsSync(data)) return
  if (!statSync(data).isDirectory()) throw new BackupRefused({ message: `${data} is no folder: name one with --data` })
  const names = readdirSync(data)
  for (const name of names.filter((name) => lockNames.test(name))) {
    const isLocked = await inDatabaseThread({ task: "locked", file: join(data, name) })
    if (isLocked === true) throw new DataFolderInUse({ folder: data })
  }
  if (names.length > 0) {
    throw new BackupRefused({
      message: `${data} holds data already: move it away first, or name another folder with --data`
    })
  }
}

/** Fails when the database was made by newer software, or is damaged. */
const requireSound = async (folder: string, database: string, { schema_version }: Manifest): Promise<void> => {
  if (schema_version > migrations.length) {
    throw new BackupUnusable({
      folder,
      reason:
        `its database has version ${schema_version}, but this software knows versions up to ${migrations.length} only: `
        + "update the software"
    })
  }
  const check = await inDatabaseThread({ task: "check", file: database })
  if (check !== "ok") throw new BackupUnusable({ folder, reason: `its database is damaged: ${String(check)}` })
}

/**
 * Checks a backup, and puts it into a folder that is absent or empty. Nothing is in the folder before everything is. Rejects with
 * `BackupUnusable` when the backup is not whole or not one, with `DataFolderInUse` when an engine uses the folder, and with
 * `BackupRefused` when it holds anything.
 */
export const restore = async ({ data, from }: {
  readonly from: string
  readonly data: string
}): Promise<RestoreReport> => {
  const [source, target] = [resolve(from), resolve(data)]
  const manifest = readManifest(source)
  await requireFree(target)
  makeFolder(dirname(target))
  const part = `${target}.restoring-${process.pid}`
  try {
    makeFolder(join(part, "files"))
    for (const { bytes, path, sha256 } of manifest.files) {
      if (!existsSync(join(source, path))) throw new BackupUnusable({ folder: source, reason: `${path} is missing` })
      const copy = await copyHashed(join(source, path), join(part, path))
      if (copy.bytes < bytes) throw new BackupUnusable({ folder: source, reason: `${path} is cut off` })
      if (copy.sha256 !== sha256) {
        throw new BackupUnusable({ folder: source, reason: `${path} has changed since the backup was made` })
      }
    }
    const database = join(part, "trunkline.db")
    if (!existsSync(database)) throw new BackupUnusable({ folder: source, reason: "it holds no database" })
    await requireSound(source, database, manifest)
    if (existsSync(target)) rmdirSync(target)
    renameSync(part, target)
  } catch (error) {
    rmSync(part, { recursive: true, force: true })
    throw spaceError(error, target)
  }
  const { files, made_at } = manifest
  return { folder: target, files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0), made_at }
}
