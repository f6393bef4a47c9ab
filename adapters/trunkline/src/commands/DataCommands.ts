import { PersonErasure, Retention, type RetentionCounts } from "@trunkline/engine"
import { PhoneNumber, Scope } from "@trunkline/kernel"
import { Effect, Either, Schema } from "effect"
import { resolve } from "node:path"
import { StartError } from "../server/Explain.js"
import { loadJson } from "../server/LoadConfig.js"
import { retentionOf } from "../server/settings/RetentionSettings.js"
import type { CommandCall } from "./Call.js"
import { besideServers } from "./SharedStores.js"

const countsText = (counts: RetentionCounts): string =>
  Object.entries(counts).map(([kind, count]) => `${count} ${kind}`).join(", ")

/** `trunkline retention`: deletes what is older than a configuration keeps it. */
export const retention = async (call: CommandCall): Promise<number> => {
  const { environment, flags, folder, print } = call
  const file = resolve(folder, String(flags["config"] ?? (environment["TRUNKLINE_CONFIG"] || "trunkline.config.json")))
  const rules = retentionOf(await loadJson(file, environment))
  if (rules.length === 0) {
    throw new StartError(`${file} has no retention: say for how many days each workspace keeps data`)
  }
  const isDry = flags["dry-run"] === true
  const now = Date.now()
  const workspaces = await besideServers(
    call,
    Effect.flatMap(
      Retention,
      ({ count, run }) =>
        Effect.forEach(
          rules,
          ({ days, scope, workspace }) =>
            Effect.map((isDry ? count : run)(scope, days, now), (counts) => ({ workspace, counts }))
        )
    )
  )
  if (flags["json"] === true) {
    print(JSON.stringify({ dry_run: isDry, workspaces }, null, 2))
    return 0
  }
  for (const { counts, workspace } of workspaces) {
    print(`${workspace}: ${isDry ? "would delete" : "deleted"} ${countsText(counts)}`)
  }
  return 0
}

const decodeScope = Schema.decodeUnknownEither(Scope)
const decodePhone = Schema.decodeUnknownEither(PhoneNumber)

/** `trunkline erase`: erases one person by phone number. */
export const erase = async (call: CommandCall): Promise<number> => {
  const { flags, print } = call
  const [org_id, workspace_id, more] = String(flags["workspace"] ?? "").split("/")
  const scope = decodeScope({ org_id, workspace_id })
  if (Either.isLeft(scope) || more !== undefined) {
    throw new StartError("--workspace: Must be an organisation and a workspace, such as acme/main")
  }
  const phone = decodePhone(flags["phone"])
  if (Either.isLeft(phone)) throw new StartError("--phone: Must be a phone number in E.164, such as +919876543210")
  const receipt = await besideServers(
    call,
    Effect.flatMap(PersonErasure, ({ person }) => person(scope.right, phone.right))
  )
  if (flags["json"] === true) {
    print(JSON.stringify(receipt, null, 2))
    return receipt.complete ? 0 : 1
  }
  const { complete, erased, erased_at, open, phone_ending, workspace } = receipt
  const texts = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts).map(([name, count]) => `${count} ${name.replace("_", " ")}`).join(", ")
  print(`Erased the number ending in ${phone_ending} from ${workspace} at ${erased_at}: ${texts({ ...erased })}`)
  if (!complete) print(`Still open, and left alone: ${texts({ ...open })}. Erase again when they are over.`)
  return complete ? 0 : 1
}
