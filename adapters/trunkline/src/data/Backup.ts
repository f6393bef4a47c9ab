import { makeFolder } from "@trunkline/sqlite"
import { Data } from "effect"
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { inDatabaseThread } from "./DatabaseThread.js"
import { type BackupFile, copyHashed, hashOf, type Manifest, manifestName } from "./Manifest.js"

/** A backup cannot be made; the message says what to do. */
export class BackupRefused extends Data.TaggedError("BackupRefused")<{ readonly message: string }> {}

/** Places of a backup. */
export interface BackupPlaces {
  /** Data folder of an engine on SQLite, which may be in use. */
  readonly data: string
  /** Folder of uploaded files and recordings; null when they are not in a folder, so that they are left out. */
  readonly files: string | null
  /** Folder of the backup, which must be empty or absent. */
  readonly to: string
}

/** A finished backup. */
export interface BackupReport {
  readonly folder: string
  /** Number of files, with the database. */
  readonly files: number
  readonly bytes: number
  readonly made_at: string
}

const isMissing = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOENT"

const isFull = (error: unknown): boolean =>
  error instanceof Error && "code" in error && ["ENOSPC", "EDQUOT", "SQLITE_FULL"].includes(String(error.code))

/** The error of a copy to a folder, in words where its disk is full. */
export const spaceError = (error: unknown, folder: string): unknown =>
  isFull(error)
    ? new BackupRefused({
      message: `There is no space left for ${folder}: free some, or name a folder on another disk`
    })
    : error

const secrets = ["contact-salt", "seal-key"]

/** Names of the files that are whole; those that are being written begin with a dot. */
const wholeFiles = (folder: string | null): ReadonlyArray<string> =>
  folder === null || !existsSync(folder) ? [] : readdirSync(folder).filter((name) => !name.startsWith("."))

/** Copies files. One that was removed since the snapshot, as by an erasure, is left out. */
const copyAll = async (
  files: ReadonlyArray<{ readonly path: string; readonly from: string }>,
  to: string
): Promise<ReadonlyArray<BackupFile>> => {
  const copies: Array<BackupFile> = []
  for (const { from, path } of files) {
    const copy = await copyHashed(from, join(to, path)).catch((error: unknown) => {
      if (!isMissing(error)) throw error
      rmSync(join(to, path), { force: true })
      return null
    })
    if (copy !== null) copies.push({ path, ...copy })
  }
  return copies
}

/**
 * Copies the data of an engine on SQLite while it runs: an exact snapshot of the database, then files and secrets, and at the
 * end the manifest with their hashes. Files that were stored after the snapshot may be in it, too. Warehouses and the
 * indexes of knowledge are left out, since they are refilled. What was copied is removed when it fails. Rejects with `BackupRefused`, or the error of the system.
 */
export const backUp = async (places: BackupPlaces): Promise<BackupReport> => {
  const [data, to] = [resolve(places.data), resolve(places.to)]
  const database = join(data, "trunkline.db")
  if (!existsSync(database)) {
    throw new BackupRefused({ message: `There is no database in ${data}: name the data folder of a server` })
  }
  if (existsSync(to) && readdirSync(to).length > 0) {
    throw new BackupRefused({ message: `${to} is not empty: name a new folder for each backup` })
  }
  makeFolder(join(to, "files"))
  try {
    const snapshot = join(to, "trunkline.db")
    const madeAt = new Date().toISOString()
    await inDatabaseThread({ task: "snapshot", file: database, to: snapshot })
    const version = await inDatabaseThread({ task: "version", file: snapshot })
    const copies = await copyAll([
      ...secrets.map((path) => ({ path, from: join(data, path) })),
      ...wholeFiles(places.files).map((name) => ({ path: `files/${name}`, from: join(places.files ?? "", name) }))
    ], to)
    const files = [{ path: "trunkline.db", ...await hashOf(snapshot) }, ...copies]
    const manifest: Manifest = {
      format: "trunkline-backup",
      version: 1,
      made_at: madeAt,
      schema_version: Number(version),
      files_place: places.files === null ? "elsewhere" : "backup",
      files
    }
    const part = join(to, `${manifestName}.part`)
    writeFileSync(part, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true })
    renameSync(part, join(to, manifestName))
    return { folder: to, files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0), made_at: madeAt }
  } catch (error) {
    for (const name of readdirSync(to)) rmSync(join(to, name), { recursive: true, force: true })
    throw spaceError(error, to)
  }
}
