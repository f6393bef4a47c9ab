import { issuesOf } from "@trunkline/errors"
import type { Transactions } from "@trunkline/kernel"
import {
  type Account,
  type AccountId,
  type Accounts,
  AccountStore,
  type CreditLedger,
  type Credits,
  type Keys
} from "@trunkline/rate-limits"
import { Data, Effect, Option, Schema } from "effect"
import type { CommandArguments } from "./CommandLine.js"
import { type CommandName, syntaxOf } from "./Syntax.js"

/** Services available to commands: those of an open data folder. */
type CommandServices = Accounts | AccountStore | CreditLedger | Credits | Keys | Transactions

/** The command line is invalid; the message says how to correct it. Exit code 2. */
export class UsageError extends Data.TaggedError("UsageError")<{ readonly message: string }> {}

/** The command cannot be executed; the message says why and what to do next. Exit code 1. */
export class CommandFailed extends Data.TaggedError("CommandFailed")<{ readonly message: string }> {}

/** Output of a command. */
export interface Output {
  /** Plain text for standard output. */
  readonly text: string
  /** Value for standard output with `--json`. */
  readonly json: unknown
  /** Hint for standard error; not printed with `--json`. */
  readonly notice?: string
}

/** A command: decodes arguments into an executable effect. */
export interface Command {
  readonly prepare: (
    args: CommandArguments
  ) => Effect.Effect<Effect.Effect<Output, CommandFailed, CommandServices>, UsageError>
}

/** Makes a command whose arguments are decoded by a schema; its fields are the operand and flag names. */
export const command = <A, I>(name: CommandName, { input, run }: {
  readonly input: Schema.Schema<A, I>
  readonly run: (input: A) => Effect.Effect<Output, CommandFailed, CommandServices>
}): Command => {
  const decode = Schema.decodeUnknown(input, { errors: "all" })
  const { flags } = syntaxOf[name]
  const placeOf = (name: string) => name in flags ? `--${name}` : `<${name}>`
  return {
    prepare: (args) =>
      Effect.mapBoth(decode(args), {
        onFailure: (error) => {
          const issues = issuesOf(error, "body").map(({ loc, msg }) => `${placeOf(String(loc[1]))}: ${msg}`)
          return new UsageError({ message: issues.join("; ") })
        },
        onSuccess: run
      })
  }
}

/** Gets an account; fails when it does not exist. */
export const getAccount = (id: AccountId): Effect.Effect<Account, CommandFailed, AccountStore> =>
  Effect.flatMap(AccountStore, (store) => store.findAccount(id)).pipe(
    Effect.flatMap(Option.match({
      onNone: () => accountNotFound(id),
      onSome: Effect.succeed
    }))
  )

/** The error for an unknown account. */
const accountNotFound = (id: AccountId) =>
  new CommandFailed({ message: `There is no account ${id}: "trunkline accounts list" shows all accounts` })
