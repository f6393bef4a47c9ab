import { parseArgs } from "node:util"
import { type CommandFlag, type CommandName, type CommandSyntax, commonFlags, syntaxOf } from "./Syntax.js"

/** Arguments of a command line, by operand and flag name. */
export type CommandArguments = Readonly<Record<string, string | boolean | ReadonlyArray<string | boolean> | undefined>>

/** A parsed command line: a help text, a command with its arguments, or the error in it. */
type ParsedCommandLine =
  | { readonly help: string }
  | { readonly name: CommandName; readonly args: CommandArguments }
  | { readonly usageError: string }

const isCommand = (name: string): name is CommandName => Object.hasOwn(syntaxOf, name)

/** Parses a command line. Errors never repeat argument values, because they may contain a key. */
export const parseCommandLine = (args: ReadonlyArray<string>): ParsedCommandLine => {
  const [group = "", verb = ""] = args
  const name = `${group} ${verb}`
  if (isCommand(name)) return parse(name, args.slice(2))
  const groups = Object.entries(syntaxOf)
  if (group === "--help") return { help: overviewHelp(groups) }
  const matches = groups.filter(([name]) => name.startsWith(`${group} `))
  if (matches.length > 0 && verb === "--help") return { help: overviewHelp(matches) }
  return { usageError: `There is no such command: "trunkline --help" lists all commands` }
}

const parse = (name: CommandName, args: ReadonlyArray<string>): ParsedCommandLine => {
  const syntax = syntaxOf[name]
  const next = `"trunkline ${name} --help" shows its usage`
  const input = parseFlags(syntax, args)
  if ("usageError" in input) return { usageError: `${input.usageError}: ${next}` }
  const { positionals, values } = input
  if (values["help"] === true) return { help: commandHelp(name, syntax) }
  const { operands } = syntax
  if (positionals.length !== operands.length) {
    const expectedText = operands.length === 0 ? "nothing" : operands.map((operand) => `<${operand}>`).join(" ")
    return { usageError: `${name} takes ${expectedText} besides its options: ${next}` }
  }
  const operandArgs = Object.fromEntries(operands.map((operand, index) => [operand, positionals[index]]))
  return { name, args: { ...values, ...operandArgs } }
}

const parseFlags = (syntax: CommandSyntax, args: ReadonlyArray<string>) => {
  try {
    return parseArgs({ args: [...args], options: optionsOf(syntax), allowPositionals: true })
  } catch (error) {
    return { usageError: firstSentence(error) }
  }
}

const firstSentence = (error: unknown) =>
  String(error instanceof Error ? error.message : error).split(/\.(?:\s|$)|\n/)[0] ?? ""

const optionsOf = ({ flags }: CommandSyntax) =>
  Object.fromEntries(
    Object.entries({ ...flags, ...commonFlags }).map(([name, { repeatable = false, value }]) => [
      name,
      { type: value === undefined ? "boolean" as const : "string" as const, multiple: repeatable }
    ])
  )

/** Formats two columns. */
const alignColumns = (lines: ReadonlyArray<readonly [left: string, right: string]>): string => {
  const width = Math.max(...lines.map(([left]) => left.length))
  return lines.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n")
}

const flagText = ([name, { value }]: readonly [string, CommandFlag]) =>
  value === undefined ? `--${name}` : `--${name} <${value}>`

/** Usage of a command. */
const commandHelp = (name: CommandName, { about, flags, operands }: CommandSyntax): string => {
  const allFlags = Object.entries({ ...flags, ...commonFlags })
  const requiredFlags = allFlags.filter(([, { required = false }]) => required).map(flagText)
  const words = ["trunkline", name, ...operands.map((operand) => `<${operand}>`), ...requiredFlags, "[options]"]
  const lines = allFlags.map((flag) => {
    const [, { about, repeatable = false }] = flag
    return [flagText(flag), repeatable ? `${about}; can be repeated` : about] as const
  })
  return `Usage: ${words.join(" ")}\n\n${about}\n\n${alignColumns(lines)}`
}

/** Overview of commands. */
const overviewHelp = (commands: ReadonlyArray<readonly [name: string, syntax: CommandSyntax]>): string =>
  `Usage: trunkline <command> [options]

Manages accounts, keys and credits in a data folder, also while a server is using it.

${alignColumns(commands.map(([name, { about }]) => [name, about] as const))}

"trunkline <command> --help" shows the usage of a command. Exit codes: 0 success, 1 failure, 2 invalid usage.`
