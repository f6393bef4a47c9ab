import { Invalid, type Loc } from "@trunkline/errors"
import { Context, Effect, Option } from "effect"

const maxLength = 2048

/** Rules for the web addresses that callers may give to the engine. */
export class WebAddressRules extends Context.Reference<WebAddressRules>()("@trunkline/kernel/WebAddressRules", {
  /** `allowInsecureUrls` admits `http:`; it is false by default. */
  defaultValue: (): { readonly allowInsecureUrls: boolean } => ({ allowInsecureUrls: false })
}) {}

/** Parses with `new URL`: `URL.canParse` misreads names like "bücher.example" on Node 20 and 22 when it is called often. */
const parseAddress = Option.liftThrowable((address: string) => new URL(address))

/**
 * Describes the problem of a web address, or returns null for a valid one.
 *
 * An address has to be absolute, `https:` (or `http:` if the host allows it), without user name or password, and at most
 * 2048 characters long. The description never repeats the address.
 */
export const webAddressIssue = (address: string, rules: { readonly allowInsecureUrls: boolean }): string | null => {
  if (address.length > maxLength) return `Should be at most ${maxLength} characters long`
  const parsed = Option.getOrNull(parseAddress(address))
  const allowed = rules.allowInsecureUrls ? ["https:", "http:"] : ["https:"]
  if (parsed === null || !allowed.includes(parsed.protocol)) {
    return rules.allowInsecureUrls ? "Should be an absolute https or http URL" : "Should be an absolute https URL"
  }
  return parsed.username === "" && parsed.password === "" ? null : "Should not hold a user name or password"
}

/** Fails with a `url_parsing` issue at `loc` unless the address is valid by the rules. */
export const checkWebAddress = (
  address: string,
  loc: Loc,
  rules: { readonly allowInsecureUrls: boolean }
): Effect.Effect<void, Invalid> => {
  const issue = webAddressIssue(address, rules)
  return issue === null ? Effect.void : Effect.fail(Invalid.at(loc, "url_parsing", issue))
}
