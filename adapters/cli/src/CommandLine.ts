import { Effect } from "effect"
import { parseArgs } from "node:util"
import { type Command, type CommandArguments, type CommandSyntax, type Flag, UsageError } from "./Command.js"
import { accountsCreate, accountsList, accountsUpdate } from "./commands/AccountCommands.js"
import { creditsGrant, creditsShow, creditsUsage } from "./commands/CreditCommands.js"
import { keysCreate, keysList, keysRevoke } from "./commands/KeyCommands.js"

/** A parsed command line: a help text, or a command with its arguments. */
type ParsedCommandLine = { readonly help: string } | {
  readonly command: Command
  readonly given: CommandArguments
}

/** Parses a command line. Errors never repeat argument values, because they may contain a key. */
export const parseCommandLine = (args: ReadonlyArray<string>): Effect.Effect<ParsedCommandLine, UsageError> => {
  const [group = "", verb = ""] = args
  const command = commands.find(({ name }) => name === `${group} ${verb}`)
  if (command !== undefined) return parse(command, args.slice(2))
  if (group === "--help") return Effect.succeed({ help: overviewHelp(commands) })
  const related = commands.filter(({ name }) => name.startsWith(`${group} `))
  if (related.length > 0 && verb === "--help") return Effect.succeed({ help: overviewHelp(related) })
  return new UsageError({ message: `There is no such command: "trunkline --help" lists all commands` })
}

const parse = Effect.fnUntraced(function*(command: Command, args: ReadonlyArray<string>) {
  const { name, operands } = command
  const next = `"trunkline ${name} --help" shows its usage`
  const { positionals, values } = yield* Effect.try({
    try: () => parseArgs({ args: [...args], options: optionsOf(command), allowPositionals: true }),
    catch: (error) => new UsageError({ message: `${firstSentence(error)}: ${next}` })
  })
  if (values["help"] === true) return { help: commandHelp(command) }
  if (positionals.length !== operands.length) {
    const wanted = operands.length === 0 ? "nothing" : operands.map((operand) => `<${operand}>`).join(" ")
    return yield* new UsageError({ message: `${name} takes ${wanted} besides its options: ${next}` })
  }
  const given = Object.fromEntries(operands.map((operand, index) => [operand, positionals[index]]))
  return { command, given: { ...values, ...given } }
})

const firstSentence = (error: unknown) =>
  String(error instanceof Error ? error.message : error).split(/\.(?:\s|$)|\n/)[0]

const optionsOf = ({ flags }: Command) =>
  Object.fromEntries(
    Object.entries({ ...flags, ...commonFlags }).map(([name, { repeatable = false, value }]) => [
      name,
      { type: value === undefined ? "boolean" as const : "string" as const, multiple: repeatable }
    ])
  )

/** All commands, in the order of the help. */
export const commands: ReadonlyArray<Command> = [
  accountsCreate,
  accountsUpdate,
  accountsList,
  keysCreate,
  keysList,
  keysRevoke,
  creditsShow,
  creditsGrant,
  creditsUsage
]

/** Flags of all commands. */
const commonFlags: Readonly<Record<string, Flag>> = {
  data: { value: "folder", about: "the data folder of the server (TRUNKLINE_DATA, default: .trunkline)" },
  json: { about: "print JSON" },
  help: { about: "print this text" }
}

/** Formats two columns. */
const alignColumns = (lines: ReadonlyArray<readonly [left: string, right: string]>): string => {
  const width = Math.max(...lines.map(([left]) => left.length))
  return lines.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n")
}

const flagText = ([name, { value }]: readonly [string, Flag]) =>
  value === undefined ? `--${name}` : `--${name} <${value}>`

/** Usage of a command. */
const commandHelp = ({ about, flags, name, operands }: CommandSyntax): string => {
  const all = Object.entries({ ...flags, ...commonFlags })
  const requiredFlags = all.filter(([, { required = false }]) => required).map(flagText)
  const words = ["trunkline", name, ...operands.map((operand) => `<${operand}>`), ...requiredFlags, "[options]"]
  const lines = all.map((flag) => {
    const [, { about, repeatable = false }] = flag
    return [flagText(flag), repeatable ? `${about}; can be repeated` : about] as const
  })
  return `Usage: ${words.join(" ")}\n\n${about}\n\n${alignColumns(lines)}`
}

/** Overview of commands. */
const overviewHelp = (calls: ReadonlyArray<CommandSyntax>): string =>
  `Usage: trunkline <command> [options]

Manages accounts, keys and credits in a data folder, also while a server is using it.

${alignColumns(calls.map(({ about, name }) => [name, about] as const))}

"trunkline <command> --help" shows the usage of a command. Exit codes: 0 success, 1 failure, 2 invalid usage.`
