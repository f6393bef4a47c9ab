import { Settings } from "@trunkline/storage-kysely"
import { Data, Effect, Layer, Redacted } from "effect"
import { hkdfSync } from "node:crypto"

/** The secrets of an engine. */
export interface Secrets {
  /** Key of contact hashes. */
  readonly contactSalt: Redacted.Redacted
  /** Key that seals chat webhooks. */
  readonly sealKey: Redacted.Redacted
}

/** Fewest characters of a secret, so that nobody guesses it from its fingerprint. */
export const shortestSecret = 32

/** A key of 32 bytes for one purpose (HKDF with SHA-256, RFC 5869), in hexadecimal. */
const derive = (secret: string, purpose: string): string =>
  Buffer.from(hkdfSync("sha256", secret, "", `trunkline ${purpose}`, 32)).toString("hex")

/** The secrets that follow from one, so that all machines of a database have the same. */
export const secretsFrom = (secret: Redacted.Redacted): Secrets => {
  const keyFor = (purpose: string) => Redacted.make(derive(Redacted.value(secret), purpose))
  return { contactSalt: keyFor("contact salt"), sealKey: keyFor("seal key") }
}

/** Tells secrets apart without telling them. */
export const fingerprintOf = ({ contactSalt, sealKey }: Secrets): string =>
  derive(`${Redacted.value(contactSalt)}\n${Redacted.value(sealKey)}`, "fingerprint")

/** The database was first used with other secrets: contact hashes would differ, and sealed webhooks could not be opened. */
export class OtherSecret extends Data.TaggedError("OtherSecret")<{
  readonly database: string
  /** The folder whose files hold the secrets of this process; null when it was given one. */
  readonly folder: string | null
}> {
  override get message() {
    return this.folder === null
      ? `the database ${this.database} was set up with another secret: give the one of its first start`
      : `the database ${this.database} was set up with another secret than the files of ${this.folder}: give its secret `
        + "(TRUNKLINE_SECRET), or copy contact-salt and seal-key from the folder of its first start"
  }
}

/** Keeps the fingerprint of the secrets at the first start with a database; fails with `OtherSecret` when it is another. */
export const checkSecrets = (
  secrets: Secrets,
  where: { readonly database: string; readonly folder: string | null }
): Layer.Layer<never, OtherSecret, Settings> =>
  Layer.effectDiscard(Effect.gen(function*() {
    const fingerprint = fingerprintOf(secrets)
    const storedText = yield* (yield* Settings).keep("secret_fingerprint", fingerprint)
    if (storedText !== fingerprint) return yield* new OtherSecret(where)
  }))
