import { fork, spawnSync } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bundled } from "../tools/run.mjs"
import type { EmbeddingFigures } from "./embedding-program.js"
import { here } from "./published.js"
import { report } from "./report.js"

/** A package that is embedded, and a program of some 20 lines that uses it. */
interface Embedded {
  readonly name: string
  readonly install: ReadonlyArray<string>
  readonly program: string
}

const peers: ReadonlyArray<Embedded> = [
  {
    name: "express",
    install: ["express@5", "@types/express@5"],
    program: `import express, { type Request, type Response } from "express"
const app = express()
app.use(express.json())
const orders = new Map<string, { readonly id: string; readonly guests: number }>()
app.get("/orders/:id", (request: Request, response: Response) => {
  const order = orders.get(String(request.params["id"]))
  if (order === undefined) response.status(404).json({ error: "not found" })
  else response.json(order)
})
app.post("/orders", (request: Request, response: Response) => {
  const order = { id: String(orders.size), guests: Number(request.body.guests) }
  orders.set(order.id, order)
  response.status(201).json(order)
})
const server = app.listen(8080)
server.on("error", (error: Error) => console.error(error.message))
`
  },
  {
    name: "better-auth",
    install: ["better-auth"],
    program: `import { betterAuth } from "better-auth"
const auth = betterAuth({
  secret: "a secret of at least thirty-two characters",
  baseURL: "http://localhost:3000",
  emailAndPassword: { enabled: true },
  session: { expiresIn: 3600 }
})
const signUp = async (email: string, password: string) => {
  const { user } = await auth.api.signUpEmail({ body: { email, password, name: email } })
  return user.id
}
const sessionOf = async (headers: Headers) => {
  const session = await auth.api.getSession({ headers })
  return session?.user.email
}
console.log(signUp, sessionOf)
`
  },
  {
    name: "@livekit/agents",
    install: ["@livekit/agents"],
    program: `import { defineAgent, type JobContext, type JobProcess, voice } from "@livekit/agents"
const agent = defineAgent({
  prewarm: async (process: JobProcess) => {
    process.userData["ready"] = true
  },
  entry: async (context: JobContext) => {
    await context.connect()
    const assistant = new voice.Agent({ instructions: "Remind people of their table." })
    const session = new voice.AgentSession({})
    await session.start({ agent: assistant, room: context.room })
    session.say("Hello, your table is booked for tonight.")
  }
})
export default agent
`
  }
]

const program = `import { createTrunkline, type CallRequest } from "trunkline"
const trunkline = await createTrunkline({
  data: "./data",
  agents: [{ app_id: "reminder", first_message: "Hello {{name}}, your table is booked for tonight." }],
  lines: [{ connection_id: "line", provider: "simulator", phone_numbers: ["+911140000001"] }],
  onCallEnded: (call) => console.log(call.attempt_id, call.connectivity_status)
})
const remind = async (to: string, name: string) => {
  const call = await trunkline.calls.create({ agent: "reminder", to, variables: { name } })
  const { connectivity_status, transcript } = await call.ended
  return { connectivity_status, turns: transcript?.length ?? 0 }
}
const request: CallRequest | undefined = undefined
console.log(await remind("+919876543210", "Asha"), request)
for await (const event of trunkline.live()) {
  console.log(event.type)
  break
}
await trunkline.close()
`

/** Sizes and times of a package in a fresh folder. */
interface Embedding {
  readonly megabytes: number
  /** Milliseconds by the clock, and of CPU time in all threads. */
  readonly importClock: number
  readonly importCpu: number
  readonly compileCpu: number
  readonly lines: number
}

const capture = (cwd: string, command: string, args: ReadonlyArray<string>): string => {
  const { status, stderr, stdout } = spawnSync(command, args, { cwd, encoding: "utf8" })
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}\n${stdout}${stderr}`)
  return stdout
}

const importProgram = (name: string) =>
  `const { cpuUsage } = process; const begun = cpuUsage(); const from = performance.now(); const { createTrunkline } = await import("${name}");
  if (createTrunkline) await createTrunkline({ data: "" }).catch(() => undefined);
  const { system, user } = cpuUsage(begun); 
  console.log(performance.now() - from, (system + user) / 1000); process.exit()`

const compilerOptions = {
  strict: true,
  skipLibCheck: true,
  module: "NodeNext",
  moduleResolution: "NodeNext",
  target: "ES2022",
  lib: ["ES2023"],
  types: ["node"],
  noEmit: true
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const figureIn = (output: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+([\\d.]+)`, "m").exec(output)?.[1] ?? Number.NaN)

/** Installs a package in a fresh folder and measures it there. The compiler is that of this repository. */
const measure = ({ install, name, program }: Embedded): Embedding => {
  const cwd = mkdtempSync(join(tmpdir(), "trunkline-embedding-"))
  try {
    writeFileSync(join(cwd, "package.json"), JSON.stringify({ type: "module", private: true }))
    mkdirSync(join(cwd, "node_modules"))
    capture(cwd, "npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", ...install])
    const kilobytes = Number(capture(cwd, "du", ["-sk", "node_modules"]).split("\t")[0])
    const imports = [1, 2, 3, 4, 5].map(() =>
      capture(cwd, process.execPath, ["--input-type=module", "-e", importProgram(name)]).split(" ").map(Number)
    )
    const importTimes = (at: number) => median(imports.map((times) => times[at] ?? Number.NaN))
    capture(cwd, "npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", "@types/node@20"])
    mkdirSync(join(cwd, "src"))
    writeFileSync(join(cwd, "src/main.ts"), program)
    writeFileSync(join(cwd, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["src"] }))
    const tsc = here("../node_modules/typescript/bin/tsc")
    const output = capture(cwd, process.execPath, [tsc, "--extendedDiagnostics"])
    return {
      megabytes: kilobytes / 1024,
      importClock: importTimes(0),
      importCpu: importTimes(1),
      compileCpu: figureIn(output, "Total time"),
      lines: figureIn(output, "Lines of Library") + figureIn(output, "Lines of Definitions")
    }
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
}

const textOf = ({ compileCpu, importClock, importCpu, lines, megabytes }: Embedding): string =>
  `${megabytes.toFixed(0)} MB, import ${importClock.toFixed(0)} ms (${importCpu.toFixed(0)} ms CPU), compiler ${
    compileCpu.toFixed(1)
  } s, ` +
  `${lines.toLocaleString("en")} lines of declarations`

/** The tarball that the last build has packed. */
const tarball = (): string => {
  const folder = here("../packed")
  const name = existsSync(folder) ? readdirSync(folder).find((file) => /^trunkline-\d/.test(file)) : undefined
  if (name === undefined) throw new Error("There is no tarball to install: npm run build")
  return join(folder, name)
}

/** Prints the costs of promises over the engine, and of installing, importing and compiling this package and others. */
export const run = async (): Promise<void> => {
  const child = fork(await bundled("bench/embedding-program.ts"), { execArgv: [] })
  const [{ effects, promises } = { effects: Number.NaN, promises: Number.NaN }]: Array<EmbeddingFigures> = await once(
    child,
    "message"
  )
  report({
    path: "a simulated call, CPU",
    ours: `promises ${(promises / 1000).toFixed(2)} ms`,
    peer: `Effect and live feed ${(effects / 1000).toFixed(2)} ms`,
    ratio: `${(promises / effects).toFixed(3)} of it`,
    goal: "1.05"
  })
  const empty = measure({ name: "node:path", install: [], program: "export {}\n" })
  console.log(`  an empty program: ${textOf(empty)}`)
  const ours = measure({ name: "trunkline", install: [tarball()], program })
  console.log(`  trunkline: ${textOf(ours)}`)
  for (const peer of peers) {
    const figures = measure(peer)
    console.log(`  ${peer.name}: ${textOf(figures)}`)
    report({
      path: `embedding beside ${peer.name}`,
      ours: textOf(ours),
      peer: textOf(figures),
      ratio: `${((ours.lines - empty.lines) / (figures.lines - empty.lines)).toFixed(2)} of its own lines`,
      goal: "60 MB, 400 ms, 74,000 lines, 5 s"
    })
  }
}
