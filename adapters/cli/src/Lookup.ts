import { type Account, type AccountId, AccountStore } from "@trunkline/rate-limits"
import { Effect, Option } from "effect"
import { CommandFailed } from "./Command.js"

/** The account of this id; without one the command fails. */
export const accountOf = (id: AccountId): Effect.Effect<Account, CommandFailed, AccountStore> =>
  Effect.flatMap(AccountStore, (store) => store.findAccount(id)).pipe(
    Effect.flatMap(Option.match({
      onNone: () => noAccount(id),
      onSome: Effect.succeed
    }))
  )

/** The failure of a command that names an account that there is not. */
export const noAccount = (id: AccountId) =>
  new CommandFailed({ message: `There is no account ${id}: "trunkline accounts list" shows those that there are` })
