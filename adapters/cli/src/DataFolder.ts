import { EntropyNode } from "@trunkline/entropy-node"
import { Accounts, Credits, Keys } from "@trunkline/rate-limits"
import { StorageSqlite } from "@trunkline/storage-sqlite"
import { Layer, Logger } from "effect"
import { join } from "node:path"

/** Standard output is for what was asked for. */
const logsToStderr = Logger.replace(Logger.defaultLogger, Logger.withConsoleError(Logger.logfmtLogger))

/** The services of a data folder, also of one that a server is using. The folder is made only when `init` says so. */
export const dataFolder = (folder: string, { init }: { readonly init: boolean }) =>
  Layer.mergeAll(Accounts.layer, Credits.layer(), Keys.layer).pipe(
    Layer.provideMerge(Layer.merge(
      StorageSqlite.layerShared({ file: join(folder, "trunkline.db"), create: init }),
      EntropyNode.layer
    )),
    Layer.provide(logsToStderr)
  )
