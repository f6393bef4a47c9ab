import { issuesOf } from "@trunkline/errors"
import { Data, Either, Schema } from "effect"
import { createHash } from "node:crypto"
import { createReadStream, createWriteStream, existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Transform } from "node:stream"
import { pipeline } from "node:stream/promises"

/** Name of the manifest in a backup; it is written last. */
export const manifestName = "manifest.json"

/** Path of a file in a backup: the database, a secret, or a file of the folder `files`. */
const BackupPath = Schema.String.pipe(
  Schema.pattern(/^(trunkline\.db|contact-salt|seal-key|files\/[A-Za-z0-9_@%;-]+)$/, {
    message: () => "is no file of a backup"
  })
)

/** A file of a backup. */
const BackupFile = Schema.Struct({
  path: BackupPath,
  bytes: Schema.NonNegativeInt,
  /** SHA-256 in hexadecimal. */
  sha256: Schema.String.pipe(Schema.pattern(/^[0-9a-f]{64}$/))
})
export type BackupFile = typeof BackupFile.Type

/** Contents of a backup. */
export const Manifest = Schema.Struct({
  format: Schema.Literal("trunkline-backup"),
  version: Schema.Literal(1),
  /** Time of the snapshot of the database, in ISO 8601. */
  made_at: Schema.String,
  /** Version of the tables of the database. */
  schema_version: Schema.NonNegativeInt,
  /** Place of uploaded files and recordings; `elsewhere` for those that the backup does not hold. */
  files_place: Schema.Literal("backup", "elsewhere"),
  files: Schema.Array(BackupFile)
})
export type Manifest = typeof Manifest.Type

/** The folder is no backup that can be used; the message says why, and what to do. */
export class BackupUnusable extends Data.TaggedError("BackupUnusable")<{
  readonly folder: string
  readonly reason: string
}> {
  override get message() {
    return `The backup ${this.folder} cannot be used: ${this.reason}`
  }
}

const decode = Schema.decodeUnknownEither(Schema.parseJson(Manifest), { errors: "all" })

/** Reads the manifest of a backup. Throws `BackupUnusable`. */
export const readManifest = (folder: string): Manifest => {
  const refuse = (reason: string): never => {
    throw new BackupUnusable({ folder, reason })
  }
  const file = join(folder, manifestName)
  if (!existsSync(file)) return refuse(`it has no ${manifestName}, so that it is none, or was not finished`)
  const read = decode(readFileSync(file, "utf8"))
  if (Either.isRight(read)) return read.right
  const [{ loc, msg }] = issuesOf(read.left, "body")
  return refuse(
    `its ${manifestName} is not one of a Trunkline backup (${loc.slice(1).join(".") || "whole file"}: ${msg})`
  )
}

/** Copies a file that only this user may read, and returns its size and hash. Rejects when the target exists. */
export const copyHashed = async (from: string, to: string): Promise<Omit<BackupFile, "path">> => {
  const hash = createHash("sha256")
  let bytes = 0
  const hashedTransform = new Transform({
    transform: (chunk: Buffer, _, next) => {
      hash.update(chunk)
      bytes += chunk.length
      next(null, chunk)
    }
  })
  await pipeline(
    createReadStream(from),
    hashedTransform,
    createWriteStream(to, { flags: "wx", mode: 0o600, flush: true })
  )
  return { bytes, sha256: hash.digest("hex") }
}

/** Size and hash of a file. */
export const hashOf = async (file: string): Promise<Omit<BackupFile, "path">> => {
  const hash = createHash("sha256")
  let bytes = 0
  for await (const chunk of createReadStream(file)) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { bytes, sha256: hash.digest("hex") }
}
