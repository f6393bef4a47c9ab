import { runCommand } from "@trunkline/cli"
import { parseArgs } from "node:util"
import type { CommandCall, CommandRun } from "./Call.js"
import { type CommandSyntax, operations } from "./Syntax.js"
import { overview, usageOf } from "./Usage.js"

/** Commands, each of which loads its own parts. */
const runs: Readonly<Record<string, () => Promise<CommandRun>>> = {
  init: async () => (await import("./InitCommand.js")).init,
  serve: async () => (await import("./ServeCommand.js")).serve,
  migrate: async () => (await import("./MigrateCommand.js")).migrate,
  backup: async () => (await import("./BackupCommands.js")).backup,
  restore: async () => (await import("./BackupCommands.js")).restore,
  retention: async () => (await import("./DataCommands.js")).retention,
  knowledge: async () => (await import("./workspace/KnowledgeCommand.js")).knowledge,
  agents: async () => (await import("./workspace/AgentsCommand.js")).agents,
  debug: async () => (await import("./DebugCommand.js")).debug,
  "test-from": async () => (await import("./TestFromCommand.js")).testFrom,
  replay: async () => (await import("./ReplayCommand.js")).replay,
  erase: async () => (await import("./DataCommands.js")).erase,
  mcp: async () => (await import("./workspace/McpCommand.js")).mcp,
  evaluate: async () => (await import("./EvaluateCommand.js")).evaluate,
  test: async () => (await import("./TestCommand.js")).test,
  doctor: async () => (await import("./DoctorCommand.js")).doctor
}

/** Values of a command line, or a sentence about what is wrong with it. */
type Parsed = Pick<CommandCall, "flags" | "operands"> | string

const parse = (args: ReadonlyArray<string>, { flags, operand }: CommandSyntax): Parsed => {
  try {
    const { positionals, values } = parseArgs({
      args: [...args],
      allowPositionals: operand !== undefined,
      options: {
        ...Object.fromEntries(
          Object.entries(flags).map(([name, { value }]) =>
            [name, { type: value === undefined ? "boolean" as const : "string" as const }] as const
          )
        ),
        help: { type: "boolean", short: "h" }
      }
    })
    return { flags: values, operands: positionals }
  } catch (error) {
    return String(error instanceof Error ? error.message : error).split(/\.(?:\s|$)|\n/)[0] ?? ""
  }
}

/** Control characters, with which a name or a word of a file could change what a terminal shows; not line feeds and tabs. */
// oxlint-disable-next-line no-control-regex
const controls = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g

/** A text as it may be shown in a terminal. */
const shownText = (text: string): string => text.replaceAll(controls, "\uFFFD")

type Context = Pick<CommandCall, "environment" | "folder" | "print"> & { readonly complain: (line: string) => void }

/** Runs one of the commands that keep a server; resolves with the exit code. */
const operate = async (name: string, args: ReadonlyArray<string>, givenContext: Context): Promise<number> => {
  const context: Context = {
    ...givenContext,
    print: (line) => givenContext.print(shownText(line)),
    complain: (line) => givenContext.complain(shownText(line))
  }
  const syntax = operations[name]
  const load = runs[name]
  if (syntax === undefined || load === undefined) return 2
  const command = parse(args, syntax)
  const refuse = (message: string) => {
    context.complain(`${message}: "trunkline ${name} --help" shows its usage`)
    return 2
  }
  if (typeof command === "string") return refuse(command)
  const { flags, operands } = command
  if (flags["help"] === true) {
    context.print(usageOf(name, syntax))
    return 0
  }
  const empty = Object.entries(flags).find(([, value]) => value === "")
  if (empty !== undefined) return refuse(`--${empty[0]} needs a value`)
  if (operands.length > 1 && syntax.takesMany !== true) {
    return refuse(`${name} takes one ${syntax.operand ?? "operand"}`)
  }
  const run = await load()
  try {
    return await run({ ...context, flags, operands })
  } catch (error) {
    const { explain } = await import("../server/Explain.js")
    context.complain(explain(error))
    return 1
  }
}

/** Executes a command line: the commands here, and those for accounts, keys and credits. Resolves with the exit code. */
export const execute = async (args: ReadonlyArray<string>, context: Context): Promise<number> => {
  const [name = "--help", ...rest] = args
  if (Object.hasOwn(operations, name)) return operate(name, rest, context)
  const { code, stderr, stdout } = await runCommand(args.length === 0 ? ["--help"] : args, context)
  const isOverview = name === "--help"
  if (isOverview) context.print(`Usage: trunkline <command> [options]\n\nRuns and keeps a server.\n\n${overview()}\n`)
  const output = isOverview ? stdout.replace(/^Usage: [^\n]*\n\n/, "") : stdout
  if (output !== "") context.print(output.trimEnd())
  if (stderr !== "") context.complain(stderr.trimEnd())
  return code
}

/** Commands that run code of others, which may leave timers and sockets that would keep the process alive. */
const endsWhenDone: ReadonlySet<string | undefined> = new Set(["test", "evaluate"])

/** Executes the command line of this process. A server goes on when this has resolved. */
export const main = async (): Promise<void> => {
  const args = process.argv.slice(2)
  const code = await execute(args, {
    environment: process.env,
    folder: process.env["INIT_CWD"] ?? process.cwd(),
    print: (line) => console.log(line),
    complain: (line) => console.error(line)
  })
  if (code !== 0 || endsWhenDone.has(args[0])) process.exit(code)
}
