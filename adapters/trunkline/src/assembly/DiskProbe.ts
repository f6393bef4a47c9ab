import { StoreProbe } from "@trunkline/kernel"
import { Effect, Layer } from "effect"
import { stat, statfs } from "node:fs/promises"
import { join } from "node:path"

/** Bytes that this user may still write to the disk of a folder. */
const freeBytesOf = (folder: string): Effect.Effect<number> =>
  Effect.map(Effect.promise(() => statfs(folder)), ({ bavail, bsize }) => bavail * bsize)

/** Bytes of the log of the SQLite database in a folder; null where there is none. */
const logBytesOf = (folder: string): Effect.Effect<number | null> =>
  Effect.promise(() => stat(join(folder, "trunkline.db-wal")).then(({ size }) => size, () => null))

/** Measures the disk and the log of the data folder when the stores are probed. */
export const diskProbe = (folder: string): Layer.Layer<never> =>
  Layer.effect(
    StoreProbe,
    Effect.map(StoreProbe, (probe) => ({ ...probe, freeBytes: freeBytesOf(folder), logBytes: logBytesOf(folder) }))
  )
