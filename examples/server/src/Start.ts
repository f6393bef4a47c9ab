import { makeConsole } from "@trunkline/console"
import { Deferred, Effect, Exit, Stream } from "effect"
import { basename } from "node:path"
import {
  consolePage,
  type Door,
  engineOf,
  firstDoor,
  keyNote,
  loadJson,
  openUrl,
  pageUrl,
  readText,
  runServer,
  serverTelemetry,
  speechLine,
  speedOf,
  variables
} from "trunkline/server"
import { runDemo } from "./demo/Demo.js"
import { demoPlan } from "./demo/DemoPlan.js"
import type { Options } from "./Options.js"

/** The demo's files, read before anything is started. */
const filesOf = ({ contacts, transformation }: Options) => ({
  contacts: { name: basename(contacts), text: readText(contacts) },
  transformation: readText(transformation)
})

/** Where the console is. */
const consoleLine = (url: string, door: Door | undefined): string =>
  door === undefined
    ? "No key of the configuration opens a workspace. npx trunkline keys create makes one."
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
  const { settings } = options
  const config = await loadJson(options.bootstrap, process.env)
  const plan = options.demo ? demoPlan(config, filesOf(options)) : null
  const served = { url: config.mail?.public_url ?? null }
  const telemetry = await serverTelemetry(config, process.env)
  const slower = Effect.runSync(Deferred.make<number>())
  const speed = Math.min(options.speed, speedOf(config))
  const speeds = Stream.fromEffect(Deferred.await(slower))
  const isSlowed = plan !== null && speed < speedOf(config)
  const engine = engineOf(config, { ...settings, telemetry, ...(isSlowed && { speeds }) }, {
    boardUrl: ({ org_id, workspace_id }, board) =>
      served.url && pageUrl(served.url, { org: org_id, workspace: workspace_id, board })
  })
  let stopping = false
  const { metricsUrl, stop, url } = await runServer(engine, {
    ...settings,
    ...(settings.roles.includes("api") && settings.console.mode !== "off" && {
      page: consolePage(
        makeConsole({
          readOnly: settings.console.mode === "read-only",
          links: settings.console.links,
          pages: settings.console.pages
        })
      )
    }),
    onStop: () => {
      stopping = true
      console.log("Finishing the calls that are going on, then stopping; once more to stop at once")
    }
  })
  served.url ??= url
  console.log(`trunkline ready ${url}`)
  if (metricsUrl !== null) console.log(`Metrics: ${metricsUrl}`)
  const note = speechLine(config.speech)
  if (!settings.roles.includes("api")) {
    console.log(await note)
    console.log(
      `Only the roles ${settings.roles.join(", ")}: it answers /health, events of providers${
        settings.roles.includes("boards") ? ", queries of boards" : ""
      }, and nothing else.`
    )
    return
  }
  if (plan === null) {
    const door = firstDoor(config)
    console.log(consoleLine(url, door))
    console.log(await note)
    if (door !== undefined) console.log(forDocs(url, door))
    return
  }
  try {
    const allAsExpected = await runDemo(url, plan, { note, stays: !options.once })
    if (options.once) {
      await stop()
      process.exit(allAsExpected ? 0 : 1)
    }
  } catch (error) {
    if (!stopping) throw error
    return
  }
  console.log(`\nStill serving at ${url}. Stop with Ctrl-C.`)
  if (isSlowed) {
    Deferred.unsafeDone(slower, Exit.succeed(speed))
    const pace = speed === 1 ? "as fast as" : `${speed} times as fast as`
    console.log(
      `From now on business time runs ${pace} the clock on the wall, so that your own calls can be watched.`
    )
  }
}
