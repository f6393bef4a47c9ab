import { Engine, RetentionDays as Days } from "@trunkline/engine"
import { Invalid } from "@trunkline/errors"
import { PhoneNumber } from "@trunkline/kernel"
import { Effect, Schema } from "effect"
import { join } from "node:path"
import { backUp } from "../data/Backup.js"
import type { Fields } from "../errors/Fields.js"
import { knownFields } from "../errors/KnownFields.js"
import type { TrunklineOptions } from "../options/TrunklineOptions.js"
import { callerOf } from "./Callers.js"
import type { DataMethods, RetentionDays } from "./DataTypes.js"
import { decode } from "./Decode.js"
import type { Runner } from "./Runner.js"

const dayFields: Fields<RetentionDays> = {
  recordings: true,
  transcripts: true,
  calls: true,
  webhooks: true,
  cohorts: true,
  attempts: true
}

const decodeDays = decode(Days, "days")
const decodePlace = decode(Schema.Struct({ to: Schema.NonEmptyString }), "options")
const decodeWorkspace = decode(Schema.Struct({ workspace: Schema.optional(Schema.String) }), "options")
const decodePerson = decode(Schema.Struct({ phone: PhoneNumber, workspace: Schema.optional(Schema.String) }), "options")

/** Folder of the files of an engine; null for those that are kept elsewhere. */
const filesOf = ({ data, files }: TrunklineOptions): string | null =>
  files === undefined ? join(data, "files") : /^[a-z][a-z0-9+.-]+:/i.test(files) ? null : files

/** Makes the methods that keep and delete data. */
export const makeData = (
  { run }: Runner,
  defaultWorkspace: string,
  options: TrunklineOptions
): DataMethods => {
  const retention = (method: "count" | "run") => (days: RetentionDays, request: { readonly workspace?: string } = {}) =>
    run(Effect.gen(function*() {
      yield* knownFields(days, dayFields, ["days"])
      const { workspace: name = defaultWorkspace } = yield* decodeWorkspace(request)
      const { workspace } = yield* callerOf(name)
      const engine = yield* Engine
      return yield* engine.retention[method](workspace, yield* decodeDays(days), yield* engine.time.now)
    }))
  return {
    backup: async (request) => {
      const { to } = await run(decodePlace(request))
      if (options.data === ":memory:" || options.database !== undefined) {
        throw Invalid.at(
          ["backup"],
          "value_error",
          options.database === undefined
            ? "An engine in memory keeps nothing that could be backed up"
            : "A PostgreSQL database is backed up with pg_dump"
        )
      }
      return backUp({ data: options.data, files: filesOf(options), to })
    },
    retention: { count: retention("count"), run: retention("run") },
    erase: (request) =>
      run(Effect.gen(function*() {
        const { phone, workspace: name = defaultWorkspace } = yield* decodePerson(request)
        const { workspace } = yield* callerOf(name)
        return yield* (yield* Engine).personErasure.person(workspace, phone)
      }))
  }
}
