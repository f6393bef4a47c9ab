import { StoreProbe } from "@trunkline/kernel"
import { Effect, Layer } from "effect"
import { statfs } from "node:fs/promises"

/** Bytes that this user may still write to the disk of a folder. */
const freeBytesOf = (folder: string): Effect.Effect<number> =>
  Effect.map(Effect.promise(() => statfs(folder)), ({ bavail, bsize }) => bavail * bsize)

/** Measures the disk of the data folder when the stores are probed. */
export const diskProbe = (folder: string): Layer.Layer<never> =>
  Layer.effect(StoreProbe, Effect.map(StoreProbe, (probe) => ({ ...probe, freeBytes: freeBytesOf(folder) })))
