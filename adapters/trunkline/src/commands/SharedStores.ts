import { CallRecords } from "@trunkline/analytics"
import type { FileStore } from "@trunkline/cohorts"
import { DocumentThreads } from "@trunkline/documents-unpdf"
import { callTracesLayer, PersonErasure, RecordingKeys, recordingsLayer, Retention } from "@trunkline/engine"
import { EntropyNode } from "@trunkline/entropy-node"
import { type Entropy, Ids } from "@trunkline/kernel"
import { Knowledge } from "@trunkline/knowledge"
import type { CallTraces } from "@trunkline/replay/trace"
import { PassageIndexSqlite, StorageSqlite } from "@trunkline/sqlite"
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
type Services = Knowledge | PersonErasure | Retention

/** The stores of a data folder or database, with its files. */
type Stores = Layer.Layer.Success<typeof StoresSql.layer> | FileStore

/** The services, with the indexes of knowledge in the data folder, which servers of this machine share. */
const servicesOver = (call: CommandCall) =>
  Layer.provide(
    Layer.mergeAll(Retention.layer, PersonErasure.layer, Knowledge.layer),
    Layer.mergeAll(
      Layer.provide(Layer.merge(recordingsLayer, callTracesLayer), RecordingKeys.layerNone),
      EntropyNode.layer,
      Ids.layer,
      DocumentThreads.layer(),
      Layer.suspend(() => PassageIndexSqlite.layer({ folder: join(dataFolder(call), "knowledge") }))
    )
  )

/** The place of files that a flag or variable names, or the default. */
const placeOf = ({ environment, flags, folder }: CommandCall, otherwise: string): string => {
  const place = flags["files"] ?? (environment["TRUNKLINE_FILES"] || undefined)
  if (typeof place !== "string") return otherwise
  return place === "postgres" || /^[a-z][a-z0-9+.-]+:/i.test(place) ? place : resolve(folder, place)
}

const onPostgres = (url: string, call: CommandCall) => {
  const sql = SqlPostgres.layerShared({ url, connections: 1, applicationName: "trunkline command" })
  const place = placeOf(call, "postgres")
  const files = place === "postgres"
    ? FilesPostgres.layerShared
    : Layer.unwrapEffect(Effect.map(filesPlace(place), filesIn))
  return Layer.provideMerge(files, Layer.provideMerge(StoresSql.layer, sql))
}

const onSqlite = (call: CommandCall) => {
  const data = dataFolder(call)
  const file = join(data, "trunkline.db")
  if (!existsSync(file)) {
    throw new StartError(`There is no database in ${data}: name the data folder of a server with --data`)
  }
  const files = Layer.unwrapEffect(Effect.map(filesPlace(placeOf(call, join(data, "files"))), filesIn))
  return Layer.merge(StorageSqlite.layerShared({ file }), files)
}

const run = async <A, E>(work: Effect.Effect<A, E>): Promise<A> => {
  const exit = await Effect.runPromiseExit(work)
  if (Exit.isSuccess(exit)) return exit.value
  throw Cause.squash(exit.cause)
}

/** Provides a layer over the stores of a data folder or database. */
const overStores = <A, E>(call: CommandCall, services: Layer.Layer<A, E, Stores>): Layer.Layer<A, E | Error> => {
  const url = databaseUrl(call)
  return url === null ? Layer.provide(services, onSqlite(call)) : Layer.provide(services, onPostgres(url, call))
}

/** Runs an effect beside the servers of a data folder or database. Rejects with the failure. */
export const besideServers = <A, E>(call: CommandCall, work: Effect.Effect<A, E, Services>): Promise<A> =>
  run(Effect.provide(work, overStores(call, servicesOver(call))))

/** Runs an effect with the calls and traces of a data folder or database, which keys decrypt. Rejects with the failure. */
export const besideTraces = <A, E>(
  call: CommandCall,
  keys: Layer.Layer<RecordingKeys, Error, Entropy>,
  work: Effect.Effect<A, E, CallRecords | CallTraces>
): Promise<A> => {
  const traces = Layer.provide(callTracesLayer, Layer.provide(keys, EntropyNode.layer))
  const records = Layer.effect(CallRecords, CallRecords)
  return run(Effect.provide(work, overStores(call, Layer.merge(traces, records))))
}
