// Programs of somebody who has installed the published package, by file.

const options = `{
  data: process.env.VOICE_DATA ?? ":memory:",
  agents: [{ app_id: "reminder", first_message: "Hello {{name}}, your table is booked for tonight." }],
  lines: [{ connection_id: "line", provider: "simulator", phone_numbers: ["+911140000001"] }],
  simulator: { speed: 60 }
}`

const placeCall = `const call = await trunkline.calls.create({
    agent: "reminder",
    to: "+919876543210",
    variables: { name: "Asha" }
  })
  const { connectivity_status, transcript } = await call.ended
  await trunkline.close()
  console.log(connectivity_status, transcript?.length)`

const answer = `const response = await fetch(\`http://127.0.0.1:\${port}/voice/health\`)
  console.log(response.status, await response.text())`

const tsconfig = (exactOptionalPropertyTypes, files) => ({
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes,
    skipLibCheck: false,
    module: "NodeNext",
    moduleResolution: "NodeNext",
    target: "ES2022",
    lib: ["ES2023", "DOM"],
    types: ["node"],
    noEmit: true
  },
  files
})

/** A script with one call, servers in Express and Hono, and CommonJS. */
export const scripts = {
  "call.ts": `import { createTrunkline, InvalidOption, verifyWebhook, WebhookRejected } from "trunkline"

const main = async (): Promise<void> => {
  const trunkline = await createTrunkline(${options})
  ${placeCall}
  const error: unknown = await createTrunkline({ data: "" }).catch((error: unknown) => error)
  if (!(error instanceof InvalidOption)) throw new Error("not the error of the package")
  const rejected = (() => {
    try {
      return verifyWebhook("{}", {}, "secret")
    } catch (error) {
      return error
    }
  })()
  if (!(rejected instanceof WebhookRejected)) throw new Error("not the error of verifyWebhook")
}

await main()
`,
  "effect.ts": `import { Effect, Runtime } from "effect"
import { createTrunkline } from "trunkline"
import { Engine } from "trunkline/effect"

const trunkline = await createTrunkline(${options})
const run = Runtime.runPromise(trunkline.effect.runtime)
console.log(await run(Effect.map(Engine, (engine) => typeof engine.outbounds.start)))
await trunkline.close()
`,
  "express.ts": `import express from "express"
import type { AddressInfo } from "node:net"
import { createTrunkline } from "trunkline"

const trunkline = await createTrunkline(${options})
const app = express()
app.use("/voice", trunkline.express())
const server = app.listen(0, async () => {
  const { port } = server.address() as AddressInfo
  ${answer}
  server.close()
  await trunkline.close()
})
`,
  "hono.ts": `import { serve } from "@hono/node-server"
import { Hono } from "hono"
import { createTrunkline } from "trunkline"

const trunkline = await createTrunkline(${options})
const voice = trunkline.fetch({ prefix: "/voice" })
const app = new Hono()
app.all("/voice/*", ({ req }) => voice(req.raw))
const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, async ({ port }) => {
  ${answer}
  server.close()
  await trunkline.close()
})
`,
  "common.cts": `import { createTrunkline, InvalidOption, verifyWebhook, WebhookRejected } from "trunkline"

const main = async (): Promise<void> => {
  const trunkline = await createTrunkline(${options})
  ${placeCall}
  const error: unknown = await createTrunkline({ data: "" }).catch((error: unknown) => error)
  if (!(error instanceof InvalidOption)) throw new Error("not the error of the package")
  const rejected = (() => {
    try {
      return verifyWebhook("{}", {}, "secret")
    } catch (error) {
      return error
    }
  })()
  if (!(rejected instanceof WebhookRejected)) throw new Error("not the error of verifyWebhook")
}

void main()
`,
  "console.ts": `import { createTrunkline } from "trunkline"

const trunkline = await createTrunkline(${options})
const { fetch } = await trunkline.console({ path: "/desk/console" })
const page = fetch(new Request("http://host.example/desk/console/"))
console.log(page?.status, page?.headers.get("content-type"), fetch(new Request("http://host.example/desk")))
await trunkline.close()
`,
  "optional.ts": `import { createTrunkline } from "trunkline"

const messageOf = (error: unknown) => error instanceof Error ? error.message : String(error)

const trunkline = await createTrunkline(${options})
const board = await trunkline.boards.create({ name: "Calls" })
const widget = await trunkline.boards.createWidget(board.id, {
  name: "Calls",
  sql: "SELECT 'a' AS label, 1 AS value",
  viz_type: "bar",
  viz_config: { x_axis: "label", y_axis: ["value"] }
})
console.log(await trunkline.boards.chartSvg(board.id, widget.id).then(() => "a chart without its packages", messageOf))
await trunkline.close()

const mail = { host: "127.0.0.1", port: 25, from: { address: "reports@example.com" } }
console.log(await createTrunkline({ ...${options}, mail }).then(() => "mail without its package", messageOf))
`,
  "import.mjs": `const begun = performance.now()
const { createTrunkline } = await import("trunkline")
await createTrunkline({ data: "" }).catch(() => undefined)
const { system, user } = process.cpuUsage()
console.log(\`\${Math.round(performance.now() - begun)} ms, \${Math.round((system + user) / 1000)} ms of CPU\`)
`,
  "tsconfig.json": JSON.stringify(
    tsconfig(false, ["call.ts", "effect.ts", "express.ts", "hono.ts", "common.cts", "optional.ts"])
  ),
  "tsconfig.exact.json": JSON.stringify(tsconfig(true, ["call.ts", "effect.ts", "common.cts"]))
}

/** Packages of the scripts beside the published one. */
export const scriptPackages = {
  "@trunkline/console": "latest",
  "@hono/node-server": "^1.19.0",
  "@types/express": "^5.0.0",
  "@types/node": "^20.19.0",
  "express": "^5.1.0",
  "hono": "^4.6.0",
  "typescript": "5.9.3",
  "tsx": "^4.20.0"
}

/** An application in Next.js with a route handler. */
export const next = {
  "next.config.mjs": `import { withTrunkline } from "trunkline/next"

export default withTrunkline({ eslint: { ignoreDuringBuilds: true }, typescript: { ignoreBuildErrors: true } })
`,
  "app/layout.jsx": `export default ({ children }) => <html><body>{children}</body></html>
`,
  "app/page.jsx": `export default () => <p>A page of one's own</p>
`,
  "app/voice/[...path]/route.js": `import { createTrunkline } from "trunkline"

const trunkline = await createTrunkline(${options})

export const dynamic = "force-dynamic"
export const { GET, POST } = trunkline.fetch({ prefix: "/voice" })
`
}

/** Packages of the application beside the published one. */
export const nextPackages = { "next": "^15.5.0", "react": "^19.0.0", "react-dom": "^19.0.0" }

const boardAndCall = `const board = await trunkline.boards.create({ name: "Calls" })
  const widget = await trunkline.boards.createWidget(board.id, { name: "Calls", sql: "SELECT 1 AS one", viz_type: "table" })
  const { columns } = await trunkline.boards.runWidget(board.id, widget.id)
  if (columns[0]?.name !== "one") throw new Error("the worker has not answered")
  ${placeCall}`

/** Programs that bundlers make one file of, with everything in it. They query a board, which starts a worker. */
export const bundled = {
  "app.mjs": `import { createTrunkline } from "trunkline"

const trunkline = await createTrunkline(${options})
  ${boardAndCall}
`,
  "plain.cjs": `const { createTrunkline } = require("trunkline")

const main = async () => {
  const trunkline = await createTrunkline(${options})
  ${boardAndCall}
}

void main()
`,
  "vite.config.mjs": `export default { build: { ssr: "app.mjs", outDir: "vite" }, ssr: { noExternal: true } }
`,
  "webpack.config.cjs": `module.exports = {
  target: "node",
  mode: "none",
  entry: "./plain.cjs",
  output: { path: require("node:path").join(__dirname, "webpack"), filename: "plain.cjs" }
}
`
}

/** Bundlers, beside the published package. */
export const bundlers = { "esbuild": "^0.27.0", "vite": "^7.0.0", "webpack": "^5.100.0", "webpack-cli": "^6.0.0" }

/** A program for an installation whose install scripts did not run. */
export const unbuilt = {
  "unbuilt.mjs": `import { createTrunkline } from "trunkline"

console.log(await createTrunkline({ data: ":memory:" }).then(() => "it runs", ({ _tag, message }) => \`\${_tag} \${message}\`))
`
}

/** A program that imports small packages beside a version of Effect that they are not made for. */
export const wrongEffect = {
  "wrong.mjs": `for (const name of ["rate-limits", "engine", "node-http"]) {
  console.log(await import(\`@trunkline/\${name}\`).then(() => "it loads", ({ message }) => message))
}
`
}

/** Small packages, and the next major version of Effect. */
export const wrongEffectPackages = {
  "@trunkline/engine": "latest",
  "@trunkline/node-http": "latest",
  "@trunkline/rate-limits": "latest",
  "effect": "^4.0.0"
}
