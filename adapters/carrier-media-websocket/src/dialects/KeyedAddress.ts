import { isSameText, tokenFor } from "../settings/PublicAddress.js"

/** Adds a key to an address that we give a provider without signatures: it covers the rest of the query. */
export const withKey = (secret: string, address: string): string => {
  const { searchParams } = new URL(address)
  return `${address}&key=${tokenFor(secret, `query:${searchParams}`)}`
}

/**
 * True for an address with a key: that which `withKey` has made, or, in an address that an account has, the secret itself. Fields
 * that the provider adds do not count.
 */
export const isKeyed = (secret: string, address: string): boolean => {
  const { searchParams } = new URL(address)
  const key = searchParams.get("key") ?? ""
  const ours = new URLSearchParams()
  for (const name of ["about", "attempt", "token"]) {
    const value = searchParams.get(name)
    if (value !== null) ours.append(name, value)
  }
  const isOurs = ours.size > 0 && isSameText(key, tokenFor(secret, `query:${ours}`))
  return isOurs || (ours.size === 0 && isSameText(key, secret))
}
