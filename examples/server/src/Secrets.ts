import { Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** Secrets of a data folder: the key of contact hashes, and the key that seals chat webhooks. */
type Purpose = "contact-salt" | "seal-key"

/** A secret that is made once for a data folder and kept in it; without a folder, another one each time. */
export const secretOf = (folder: string | null, purpose: Purpose): Redacted.Redacted => {
  const fresh = () => randomBytes(32).toString("hex")
  if (folder === null) return Redacted.make(fresh())
  const file = join(folder, purpose)
  if (!existsSync(file)) writeFileSync(file, fresh(), { mode: 0o600 })
  return Redacted.make(readFileSync(file, "utf8"))
}
