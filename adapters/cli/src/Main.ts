import { Effect } from "effect"
import { resolve } from "node:path"
import { UsageError } from "./Command.js"
import { readCommandLine } from "./CommandLine.js"
import { dataFolder } from "./DataFolder.js"
import { explain } from "./Explain.js"
import { told } from "./Text.js"

/** Where a command is carried out. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Relative paths start here. */
  readonly folder: string
}

/** What came of a command. */
export interface Printed {
  /** 0 done, 1 not possible, 2 used wrongly. */
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const folderOf = (given: string, { folder }: Surroundings) =>
  given === ":memory:"
    ? new UsageError({ message: "--data: Must be a folder: nothing is kept in memory that a tool could see" })
    : Effect.succeed(resolve(folder, given))

const carryOut = Effect.fnUntraced(function*(args: ReadonlyArray<string>, surroundings: Surroundings) {
  const asked = yield* readCommandLine(args)
  if ("help" in asked) return { code: 0, stdout: told(asked.help), stderr: "" }
  const { command, given } = asked
  const work = yield* command.prepare(given)
  const data = given["data"] ?? surroundings.environment["TRUNKLINE_DATA"] ?? ".trunkline"
  const folder = yield* folderOf(String(data), surroundings)
  const { json, notice, text } = yield* Effect.provide(work, dataFolder(folder, { init: given["init"] === true }))
  return given["json"] === true
    ? { code: 0, stdout: `${JSON.stringify(json, null, 2)}\n`, stderr: "" }
    : { code: 0, stdout: told(text), stderr: notice === undefined ? "" : told(notice) }
})

/** Carries out a command line. It never fails: what goes wrong is told on standard error, in one line as a rule. */
export const runCommand = (args: ReadonlyArray<string>, surroundings: Surroundings): Promise<Printed> =>
  Effect.runPromise(
    Effect.catchAllCause(carryOut(args, surroundings), (cause) => {
      const { code, message } = explain(cause)
      return Effect.succeed({ code, stdout: "", stderr: told(message) })
    })
  )

/** Carries out the command line of this process. */
export const main = async (): Promise<void> => {
  const folder = process.env["INIT_CWD"] ?? process.cwd()
  const { code, stderr, stdout } = await runCommand(process.argv.slice(2), { environment: process.env, folder })
  process.stdout.write(stdout)
  process.stderr.write(stderr)
  process.exitCode = code
}
