import type { Command } from "./Command.js"
import { accountsCreate } from "./commands/AccountsCreate.js"
import { accountsList } from "./commands/AccountsList.js"
import { accountsUpdate } from "./commands/AccountsUpdate.js"
import { creditsGrant } from "./commands/CreditsGrant.js"
import { creditsShow } from "./commands/CreditsShow.js"
import { creditsUsage } from "./commands/CreditsUsage.js"
import { keysCreate } from "./commands/KeysCreate.js"
import { keysList } from "./commands/KeysList.js"
import { keysRevoke } from "./commands/KeysRevoke.js"

/** Every command, in the order of the help. */
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
