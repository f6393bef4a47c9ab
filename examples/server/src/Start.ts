import { serve } from "@trunkline/node-http"
import { Cause, Either, Option, Runtime } from "effect"
import { readFileSync } from "node:fs"
import { basename } from "node:path"
import { type Bootstrap, readBootstrap } from "./Bootstrap.js"
import { DemoFailed } from "./demo/Client.js"
import { runDemo } from "./demo/Demo.js"
import { demoPlan, NoDemo } from "./demo/DemoPlan.js"
import type { Options } from "./Options.js"
import { type Door, firstDoor, keyNote, variables } from "./Pasteable.js"
import { engineOf } from "./Server.js"
import { speechLine } from "./Speech.js"

/** Something that the person who started us has to put right; told in one line, without a stack. */
class StartError extends Error {}

const bootstrapFrom = (file: string): Bootstrap => {
  const read = readBootstrap(readText(file), process.env)
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
  } catch {
    throw new StartError(`The file ${file} cannot be read`)
  }
}

/** What the examples of the documentation need of this server. */
const forDocs = (url: string, door: Door | undefined): string =>
  door === undefined
    ? "No key of the bootstrap file opens a workspace. npx trunkline keys create makes one."
    : ["To try what docs/ shows, paste this into another terminal:", "", ...variables(url, door), ...keyNote(door)]
      .join("\n")

/** Serves as the options say, and runs the demo. */
export const start = async (options: Options): Promise<void> => {
  const bootstrap = bootstrapFrom(options.bootstrap)
  const plan = options.demo ? demoPlan(bootstrap, filesOf(options)) : null
  const starting = serve(engineOf(bootstrap, options.data, options.lease), { port: options.port, host: options.host })
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
  console.log(`trunkline ready ${url}`)
  console.log(await speechLine(bootstrap.speech))
  if (plan === null) {
    console.log(forDocs(url, firstDoor(bootstrap)))
    return
  }
  try {
    const allAsExpected = await runDemo(url, plan, { stays: !options.once })
    if (options.once) return await stop(allAsExpected ? 0 : 1)
  } catch (error) {
    if (!stopping) throw error
    return
  }
  console.log(`\nStill serving at ${url}. Stop with Ctrl-C.`)
}

/** What to do about failures of the system. */
const hints: Readonly<Record<string, string>> = {
  EADDRINUSE: "choose another port with --port",
  EADDRNOTAVAIL: "choose an address of this machine with --host",
  ENOTFOUND: "choose an address of this machine with --host",
  EEXIST: "choose a folder with --data",
  ENOTDIR: "choose a folder with --data",
  ENOENT: "choose a folder with --data",
  EACCES: "choose a folder with --data that can be written, or another port with --port"
}

/** Failures that a person can put right need no stack; everything else is ours to find. */
export const explain = (error: unknown): string => {
  if (error instanceof StartError || error instanceof NoDemo || error instanceof DemoFailed) return error.message
  const expected = Runtime.isFiberFailure(error)
    ? Cause.failureOption(error[Runtime.FiberFailureCauseId])
    : Option.none()
  if (Option.isSome(expected) && expected.value instanceof Error) return expected.value.message
  if (!(error instanceof Error)) return String(error)
  const code = "code" in error && typeof error.code === "string" ? error.code : ""
  return hints[code] === undefined ? error.stack ?? error.message : `${error.message}: ${hints[code]}`
}
