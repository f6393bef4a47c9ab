import { AgentCatalog } from "@trunkline/agents"
import { AnalyticsOptions } from "@trunkline/analytics"
import { CohortWorker } from "@trunkline/cohort-worker"
import { FileStore, Importer } from "@trunkline/cohorts"
import { accessLayer, Engine } from "@trunkline/engine"
import { EntropyNode } from "@trunkline/entropy-node"
import { FilesDisk } from "@trunkline/files-disk"
import { FileDownloadGuarded, HttpSenderGuarded } from "@trunkline/http-guarded"
import { Ids, WebAddressRules } from "@trunkline/kernel"
import type { NotificationDeliveryOptions } from "@trunkline/notifications"
import { Load, RateLimits } from "@trunkline/rate-limits"
import { RehearsalWorker } from "@trunkline/rehearsal-worker"
import { slowReadsBeside } from "@trunkline/sqlite-runners"
import { StorageSqlite } from "@trunkline/storage-sqlite"
import { CallEvents, Connections } from "@trunkline/telephony"
import { type Duration, Layer, Logger } from "effect"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { boardParts } from "./Boards.js"
import { type Bootstrap, speedOf } from "./Bootstrap.js"
import { endsWhenLost } from "./LostOwnership.js"
import { modelOf } from "./Model.js"
import { persistentTime } from "./PersistentTime.js"
import { carriersOf } from "./PhoneLines.js"
import { secretOf } from "./Secrets.js"
import { speechParts } from "./Speech.js"

const inMemory = ":memory:"

/** Standard output belongs to the person who started us. */
const logsToStderr = Logger.replace(Logger.defaultLogger, Logger.withConsoleError(Logger.logfmtLogger))

/** Where everything is kept, and how cohorts get there: large ones in threads, where threads can share it. */
const keptIn = (data: string, lease: Duration.DurationInput) => {
  if (data === inMemory) {
    const stores = Layer.merge(StorageSqlite.layer({ file: inMemory }), FileStore.layerMemory)
    return Layer.provideMerge(Importer.layer, stores)
  }
  const [file, folder] = [join(data, "trunkline.db"), join(data, "files")]
  const database = Layer.provideMerge(endsWhenLost, StorageSqlite.layer({ file, lease }))
  const stores = Layer.provideMerge(FilesDisk.layer(folder), database)
  return Layer.provideMerge(CohortWorker.layer({ file, folder }), Layer.provide(stores, slowReadsBeside({ file })))
}

/** The engine of the reference server: SQLite, and the phone lines and the model of the bootstrap file. */
export const engineOf = (
  bootstrap: Bootstrap,
  data: string,
  lease: Duration.DurationInput,
  notifications: NotificationDeliveryOptions = {}
) => {
  const folder = data === inMemory ? null : data
  if (folder !== null) mkdirSync(folder, { recursive: true, mode: 0o700 })
  const addresses = {
    allowInsecureUrls: bootstrap.allow_insecure_urls,
    allowPrivateUrls: bootstrap.allow_private_urls
  }
  const domain = bootstrap.mail?.from.address.split("@")[1]
  return Engine.layer({
    notifications: { ...notifications, ...(domain !== undefined && { messageIdDomain: domain }) },
    responses: { textWithoutFormat: bootstrap.responses.text_without_format },
    speech: { allowPitchRateMatch: true }
  }).pipe(
    Layer.provideMerge(accessLayer(bootstrap)),
    Layer.provideMerge(Layer.mergeAll(
      carriersOf(bootstrap.simulator),
      Connections.layerOf(bootstrap.connections),
      AgentCatalog.layerOf(bootstrap.agents),
      modelOf(bootstrap.model),
      HttpSenderGuarded.layer(addresses),
      FileDownloadGuarded.layer(addresses),
      ...(bootstrap.limits.enabled
        ? [RateLimits.layerMemory(), Load.layer()] as const
        : [RateLimits.layerUnlimited, Load.layerUnlimited] as const),
      AnalyticsOptions.layer({ contactSalt: secretOf(folder, "contact-salt") }),
      boardParts(bootstrap, folder),
      RehearsalWorker.layer(),
      speechParts(bootstrap.speech, bootstrap.transcriber)
    )),
    Layer.provideMerge(CallEvents.layer()),
    Layer.provideMerge(Layer.mergeAll(Ids.layer, EntropyNode.layer, EntropyNode.layerRandom)),
    Layer.provideMerge(Layer.succeed(WebAddressRules, addresses)),
    Layer.provideMerge(persistentTime(speedOf(bootstrap))),
    Layer.provideMerge(keptIn(data, lease)),
    Layer.provide(logsToStderr)
  )
}
