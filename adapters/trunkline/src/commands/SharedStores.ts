import { PersonErasure, recordingsLayer, Retention } from "@trunkline/engine"
import { EntropyNode } from "@trunkline/entropy-node"
import { StorageSqlite } from "@trunkline/sqlite"
import { StoresSql } from "@trunkline/storage-kysely"
import { FilesPostgres, SqlPostgres } from "@trunkline/storage-postgres"
import { Cause, Effect, Exit, Layer } from "effect"
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { filesIn, filesPlace } from "../options/FilesOption.js"
import { StartError } from "../server/Explain.js"
import type { CommandCall } from "./Call.js"
import { databaseUrl, dataFolder } from "./DataFolders.js"

/** Services that commands run on. */
type Services = PersonErasure | Retention

const servicesOver = Layer.provide(
  Layer.merge(Retention.layer, PersonErasure.layer),
  Layer.merge(recordingsLayer, EntropyNode.layer)
)

/** The place of files that a flag or variable names, or the default. */
const placeOf = ({ environment, flags, folder }: CommandCall, otherwise: string): string => {
  const given = flags["files"] ?? (environment["TRUNKLINE_FILES"] || undefined)
  if (typeof given !== "string") return otherwise
  return given === "postgres" || /^[a-z][a-z0-9+.-]+:/i.test(given) ? given : resolve(folder, given)
}

const onPostgres = (url: string, call: CommandCall): Layer.Layer<Services, Error> => {
  const sql = SqlPostgres.layerShared({ url, connections: 1, applicationName: "trunkline command" })
  const place = placeOf(call, "postgres")
  const files = place === "postgres"
    ? FilesPostgres.layerShared
    : Layer.unwrapEffect(Effect.map(filesPlace(place), filesIn))
  return Layer.provide(servicesOver, Layer.provideMerge(files, Layer.provideMerge(StoresSql.layer, sql)))
}

const onSqlite = (call: CommandCall): Layer.Layer<Services, Error> => {
  const data = dataFolder(call)
  const file = join(data, "trunkline.db")
  if (!existsSync(file)) {
    throw new StartError(`There is no database in ${data}: name the data folder of a server with --data`)
  }
  const files = Layer.unwrapEffect(Effect.map(filesPlace(placeOf(call, join(data, "files"))), filesIn))
  return Layer.provide(servicesOver, Layer.merge(StorageSqlite.layerShared({ file }), files))
}

/** Runs an effect beside the servers of a data folder or database. Rejects with the failure. */
export const besideServers = async <A, E>(call: CommandCall, work: Effect.Effect<A, E, Services>): Promise<A> => {
  const url = databaseUrl(call)
  const layer = url === null ? onSqlite(call) : onPostgres(url, call)
  const exit = await Effect.runPromiseExit(Effect.provide(work, layer))
  if (Exit.isSuccess(exit)) return exit.value
  throw Cause.squash(exit.cause)
}
