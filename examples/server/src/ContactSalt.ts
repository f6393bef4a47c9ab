import { Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** The key of contact hashes: made once for a data folder and kept in it, so that a person keeps their hash. */
export const contactSalt = (folder: string | null): Redacted.Redacted => {
  const fresh = () => randomBytes(32).toString("hex")
  if (folder === null) return Redacted.make(fresh())
  const file = join(folder, "contact-salt")
  if (!existsSync(file)) writeFileSync(file, fresh(), { mode: 0o600 })
  return Redacted.make(readFileSync(file, "utf8"))
}
