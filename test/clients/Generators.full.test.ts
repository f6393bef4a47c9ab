import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { build } from "esbuild"
import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { createTrunkline, type Trunkline } from "trunkline"
import ts from "typescript"

const here = fileURLToPath(new URL(".", import.meta.url))
const document = fileURLToPath(new URL("../../docs/openapi.json", import.meta.url))
const cache = join(here, "node_modules/.cache")

/** Body of the campaign of every program, which adds one person to it and waits until the person has been called. */
const body = `{
  name: "Generated",
  app_config: {
    app_id: "reminder", app_version: 1,
    connection_configs: [{ connection_id: "line", phone_numbers: ["+911140000001"] }]
  },
  start_timestamp: new Date(Date.now() - 60_000).toISOString(),
  end_timestamp: new Date(Date.now() + 86_400_000_000).toISOString(),
  allowed_schedule: {
    allowed_start_time: "00:00", allowed_end_time: "24:00",
    allowed_days: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
  }
}`
const users = `{ name: "People", users: [{ user_phone_number: "+919876543210" }] }`

/** Ends a program: `finished` is an expression for the number of people who have been called. */
const waiting = (finished: string) => `
  for (;;) {
    const finished: number = ${finished}
    if (finished === 1) return campaign_id
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}`

const ids = `org_id: "main", workspace_id: "main"`
const begin = `export const run = async (baseUrl: string, key: string): Promise<string> => {
  const headers = { "api-subscription-key": key }`

interface Generator {
  readonly name: string
  /** Arguments of Node.js that generate a client into a folder. */
  readonly generate: (folder: string) => ReadonlyArray<string>
  readonly program: string
}

const bin = (path: string) => join(here, "node_modules", path)

const generators: ReadonlyArray<Generator> = [
  {
    name: "openapi-typescript",
    generate: (folder) => [bin("openapi-typescript/bin/cli.js"), document, "-o", join(folder, "schema.ts")],
    program: `import createClient from "openapi-fetch"
import type { paths } from "./schema"
${begin}
  const client = createClient<paths>({ baseUrl, headers })
  const path = { ${ids} }
  const campaigns = "/v1/orgs/{org_id}/workspaces/{workspace_id}/campaigns"
  const created = await client.POST(campaigns, { params: { path }, body: ${body} })
  const campaign_id = created.data?.campaign_id ?? ""
  const one = { ...path, campaign_id }
  await client.POST(\`\${campaigns}/{campaign_id}/cohorts/stream\` as const, { params: { path: one }, body: ${users} })
  const called = () => client.GET(\`\${campaigns}/{campaign_id}/contacts\` as const, {
    params: { path: one, query: { state: "finished" } }
  })${waiting("(await called()).data?.items.length ?? 0")}`
  },
  {
    name: "Hey API",
    generate: (
      folder
    ) => [bin("@hey-api/openapi-ts/bin/run.js"), "-i", document, "-o", join(folder, "hey"), "--silent"],
    program: `import { createClient } from "./hey/client"
import { campaignsCohortsAdd, campaignsContacts, campaignsCreate } from "./hey"
${begin}
  const client = createClient({ baseUrl, headers })
  const path = { ${ids} }
  const created = await campaignsCreate({ client, path, body: ${body} })
  const campaign_id = created.data?.campaign_id ?? ""
  const one = { ...path, campaign_id }
  await campaignsCohortsAdd({ client, path: one, body: ${users} })
  const called = () => campaignsContacts({ client, path: one, query: { state: "finished" } })${
      waiting("(await called()).data?.items.length ?? 0")
    }`
  },
  {
    name: "Orval",
    generate: (folder) => {
      const options = { input: document, output: { target: join(folder, "orval.ts"), client: "fetch" } }
      const text = `import { generate } from ${JSON.stringify(pathToFileURL(bin("orval/dist/index.js")).href)}
await generate(${JSON.stringify(options)})`
      return ["--input-type=module", "-e", text]
    },
    program: `import { campaignsCohortsAdd, campaignsContacts, campaignsCreate } from "./orval"
${begin}
  const there = globalThis.fetch
  globalThis.fetch = (url, options) => there(baseUrl + String(url), options)
  const created = await campaignsCreate("main", "main", ${body}, { headers })
  const campaign_id = created.status === 200 ? created.data.campaign_id : ""
  await campaignsCohortsAdd("main", "main", campaign_id, ${users}, { headers })
  const called = async () => {
    const answer = await campaignsContacts("main", "main", campaign_id, { state: "finished" }, { headers })
    return answer.status === 200 ? answer.data.items.length : 0
  }${waiting("await called()")}`
  }
]

/** Faults of the compiler in a program and what it imports. */
const faultsOf = (path: string): ReadonlyArray<string> => {
  const program = ts.createProgram([path], {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler
  })
  return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) =>
    `${file?.fileName.split("/").at(-1) ?? ""}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`
  )
}

describe("clients that others generate from docs/openapi.json", () => {
  let trunkline: Trunkline
  let folder = ""
  beforeAll(async () => {
    mkdirSync(cache, { recursive: true })
    folder = mkdtempSync(join(cache, "generated-"))
    trunkline = await createTrunkline({
      data: ":memory:",
      agents: [{ app_id: "reminder", first_message: "Hello" }],
      lines: [{ connection_id: "line", provider: "simulator", phone_numbers: ["+911140000001"] }],
      simulator: { speed: 250 }
    })
  })
  afterAll(async () => {
    await trunkline.close()
    rmSync(folder, { recursive: true, force: true })
  })

  for (const { generate, name, program } of generators) {
    it(`compile and run a campaign: ${name}`, async () => {
      await promisify(execFile)(process.execPath, [...generate(folder)], { cwd: folder, maxBuffer: 1e8 })
      const path = join(folder, `program-of-${name.replaceAll(" ", "-")}.ts`)
      writeFileSync(path, program)
      assert.deepStrictEqual(faultsOf(path), [])
      const outfile = path.replace(".ts", ".mjs")
      await build({ entryPoints: [path], outfile, bundle: true, format: "esm", platform: "node", logLevel: "silent" })
      const { run } = await import(/* @vite-ignore */ pathToFileURL(outfile).href)
      const { url } = await trunkline.listen({ port: 0, host: "127.0.0.1" })
      const fetching = globalThis.fetch
      const id = await run(url, (await trunkline.keys.create()).key)
      globalThis.fetch = fetching
      assert.strictEqual((await trunkline.campaigns.get(id)).name, "Generated")
    })
  }
})
