import { type Scope, scopeKey } from "@trunkline/kernel"
import { createHash } from "node:crypto"
import { join } from "node:path"
import type { Owned } from "./Messages.js"

/** The file of a workspace: its name is a SHA-256, since ids may hold what file names may not. */
export const fileOf = (folder: string, workspace: Scope): Owned => {
  const scope = scopeKey(workspace)
  return { file: join(folder, `${createHash("sha256").update(scope).digest("hex")}.sqlite`), scope }
}
