import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join, relative, resolve } from "node:path"
import { StartError } from "../server/Explain.js"
import { printedSchema } from "../server/PrintedSchema.js"
import type { CommandCall } from "./Call.js"

const config = `{
  // The schema lets your editor complete this file. "npx trunkline serve --print-schema" writes it again after an update.
  "$schema": "./trunkline.schema.json",

  // The server. A flag (--port) or a variable (PORT) comes before what stands here.
  "port": 8787,
  "host": "127.0.0.1",
  "data": ".trunkline",
  // Calls that go on have this long to end after SIGTERM.
  "drain_seconds": 30,

  // One account with one workspace. The key is for tests: "npx trunkline keys create --account acme" makes real ones.
  "accounts": [{ "account_id": "acme", "plan": "starter" }],
  "workspaces": [{ "org_id": "acme", "workspace_id": "main", "account_id": "acme" }],
  "keys": [{ "key": "sk_test_first_KEY", "account_id": "acme", "label": "first key", "features": ["beta"] }],

  // One agent. Everything but its id has a default; a committed version can hold calls.
  "agents": [
    {
      "app_id": "reminder",
      "versions": [
        {
          "app_version": 1,
          "committed": true,
          "first_message": "Hello {{name}}, your table is booked for tonight. Shall we keep it?",
          "prompt": "Confirm the booking, or cancel it. Be short and polite."
        }
      ]
    }
  ],

  // A simulated line, on which nobody is called. docs/sip.md and docs/carriers.md show real ones.
  "connections": [{ "connection_id": "line", "provider": "simulator", "phone_numbers": ["+911140000001"] }],

  // The scripted model plays scripts only. This one needs the variable MODEL_KEY:
  // "model": { "kind": "openai-compatible", "base_url": "https://models.example/v1", "api_key_env": "MODEL_KEY" },
  "model": { "kind": "scripted" },

  // Days that data is kept, for "npx trunkline retention": for ever where nothing stands.
  "retention": []
}
`

const environment =
  `# Copy this file to .env, which "npx trunkline serve" reads. Secrets belong here, never into the configuration.
# MODEL_KEY=
# TRUNKLINE_DATABASE=postgres://user:password@localhost:5432/trunkline
# At least 32 random characters for all servers of the database: openssl rand -hex 32
# TRUNKLINE_SECRET=
# Traces go to a collector of OpenTelemetry; they need npm i @effect/opentelemetry@0.64.1
# OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318
`

/** Files of a new server, with a key of its own. */
const filesOf = (key: string): Readonly<Record<string, string>> => ({
  "trunkline.config.json": config.replace("KEY", key),
  "trunkline.schema.json": `${JSON.stringify(printedSchema(), null, 2)}\n`,
  ".env.example": environment
})

/** Writes the files of a new server into a folder, none of which may exist; returns their names. */
const writeNew = (folder: string): ReadonlyArray<string> => {
  const key = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(
    ""
  )
  const files = filesOf(key)
  const existing = Object.keys(files).filter((name) => existsSync(join(folder, name)))
  if (existing.length > 0) {
    throw new StartError(
      `${folder} has ${existing.join(" and ")} already: choose another folder, or remove what is there`
    )
  }
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { flag: "wx" })
  return Object.keys(files)
}

/** `trunkline init`: writes the configuration of a new server. */
export const init = ({ folder, operands: [path = "."], print }: CommandCall): Promise<number> => {
  const target = resolve(folder, path)
  const place = relative(folder, target) || "."
  for (const name of writeNew(target)) print(`wrote ${join(place, name)}`)
  print(`\nStart the server with:\n${place === "." ? "" : `  cd ${place}\n`}  npx trunkline serve`)
  return Promise.resolve(0)
}
