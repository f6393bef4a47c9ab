import { serve } from "@trunkline/node-http"
import { Cause, Either, Option, Runtime } from "effect"
import { readFileSync } from "node:fs"
import { type Bootstrap, readBootstrap } from "./Bootstrap.js"
import { runDemo } from "./demo/Demo.js"
import { demoPlan, NoDemo } from "./demo/DemoPlan.js"
import { type Options, readOptions, usage, UsageError } from "./Options.js"
import { engineOf } from "./Server.js"

/** Something that the person who started us has to put right; told in one line, without a stack. */
class StartError extends Error {}

const bootstrapFrom = (file: string): Bootstrap => {
  const read = readBootstrap(readText(file))
  if (Either.isRight(read)) return read.right
  throw new StartError([`The bootstrap file ${file} cannot be used:`, ...read.left].join("\n  "))
}

const readText = (file: string): string => {
  try {
    return readFileSync(file, "utf8")
  } catch {
    throw new StartError(`The file ${file} cannot be read`)
  }
}

const start = async (options: Options): Promise<void> => {
  const bootstrap = bootstrapFrom(options.bootstrap)
  const plan = options.demo ? demoPlan(bootstrap, options) : null
  const starting = serve(engineOf(bootstrap, options.data), { port: options.port, host: options.host })
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
  if (plan === null) return
  try {
    const allAsExpected = await runDemo(url, plan)
    if (options.once) return await stop(allAsExpected ? 0 : 1)
  } catch (error) {
    if (!stopping) throw error
    return
  }
  console.log(`\nStill serving at ${url}. Stop with Ctrl-C.`)
}

const fail = (message: string): never => {
  console.error(message)
  process.exit(1)
}

const main = async (): Promise<void> => {
  const options = readOptions(process.argv.slice(2), process.env, process.env["INIT_CWD"] ?? process.cwd())
  if (options === "help") console.log(usage)
  else await start(options)
}

/** Failures that a person can put right need no stack; everything else is ours to find. */
const explain = (error: unknown): string => {
  if (error instanceof UsageError) return `${error.message}\n\n${usage}`
  if (error instanceof StartError || error instanceof NoDemo) return error.message
  const expected = Runtime.isFiberFailure(error)
    ? Cause.failureOption(error[Runtime.FiberFailureCauseId])
    : Option.none()
  if (Option.isSome(expected) && expected.value instanceof Error) return expected.value.message
  if (!(error instanceof Error)) return String(error)
  return "code" in error && error.code === "EADDRINUSE"
    ? `${error.message}: choose another with --port`
    : error.stack ?? error.message
}

main().catch((error: unknown) => fail(explain(error)))
