import type { Scope } from "@trunkline/kernel"
import { serve } from "@trunkline/node-http"
import { Either } from "effect"
import { readFileSync } from "node:fs"
import { basename } from "node:path"
import { type Bootstrap, readBootstrap } from "./Bootstrap.js"
import { runDemo } from "./demo/Demo.js"
import { demoPlan } from "./demo/DemoPlan.js"
import { StartError } from "./Explain.js"
import type { Options } from "./Options.js"
import { consolePage, openUrl, pageUrl } from "./Page.js"
import { type Door, firstDoor, keyNote, variables } from "./Pasteable.js"
import { engineOf } from "./Server.js"
import { speechLine } from "./Speech.js"

const bootstrapFrom = async (file: string): Promise<Bootstrap> => {
  const read = await readBootstrap(readText(file), process.env)
  if (Either.isRight(read)) return read.right
  throw new StartError([`The bootstrap file ${file} cannot be used:`, ...read.left].join("\n  "))
}

/** The demo's files, read before anything is started. */
const filesOf = ({ contacts, transformation }: Options) => ({
  contacts: { name: basename(contacts), text: readText(contacts) },
  transformation: readText(transformation)
})

const readText = (file: string): string => {
  try {
    return readFileSync(file, "utf8")
  } catch (error) {
    throw new StartError(`The file ${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Where the console is. */
const consoleLine = (url: string, door: Door | undefined): string =>
  door === undefined
    ? "No key of the bootstrap file opens a workspace. npx trunkline keys create makes one."
    : ["Open the console in a browser:", "", openUrl(url, door), ""].join("\n")

/** Variables that the examples of the documentation need. */
const forDocs = (url: string, door: Door): string =>
  [
    "",
    "To try what docs/ shows, paste this into another terminal:",
    "",
    ...variables(url, door),
    ...keyNote(door)
  ].join("\n")

/** Serves as the options say, and runs the demo. */
export const start = async (options: Options): Promise<void> => {
  const bootstrap = await bootstrapFrom(options.bootstrap)
  const plan = options.demo ? demoPlan(bootstrap, filesOf(options)) : null
  const served = { url: bootstrap.mail?.public_url ?? null }
  const boardUrl = ({ org_id, workspace_id }: Scope, board: string) =>
    served.url && pageUrl(served.url, { org: org_id, workspace: workspace_id, board })
  const engine = engineOf(bootstrap, options, { boardUrl })
  const starting = serve(engine, {
    port: options.port,
    host: options.host,
    ...(options.roles.includes("api") && { page: consolePage() })
  })
  let stopping = false
  const stop = async (code: number) => {
    stopping = true
    await (await starting).close()
    process.exit(code)
  }
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      console.log("Finishing the calls that are going on, then stopping; once more to stop at once")
      void stop(0)
    })
  }

  const { url } = await starting
  served.url ??= url
  console.log(`trunkline ready ${url}`)
  const note = speechLine(bootstrap.speech)
  if (!options.roles.includes("api")) {
    console.log(await note)
    console.log(
      `Only the roles ${options.roles.join(", ")}: it answers /health, events of providers${
        options.roles.includes("boards") ? ", queries of boards" : ""
      }, and nothing else.`
    )
    return
  }
  if (plan === null) {
    const door = firstDoor(bootstrap)
    console.log(consoleLine(url, door))
    console.log(await note)
    if (door !== undefined) console.log(forDocs(url, door))
    return
  }
  try {
    const allAsExpected = await runDemo(url, plan, { note, stays: !options.once })
    if (options.once) return await stop(allAsExpected ? 0 : 1)
  } catch (error) {
    if (!stopping) throw error
    return
  }
  console.log(`\nStill serving at ${url}. Stop with Ctrl-C.`)
}
