import { Invalid, type Loc } from "@trunkline/errors"
import { Context, Effect, Option } from "effect"

const maxLength = 2048

/** Which web addresses the engine may be told to talk to. */
export class WebAddressRules extends Context.Reference<WebAddressRules>()("@trunkline/kernel/WebAddressRules", {
  /** `allowInsecureUrls` admits `http:`; default false (shapes 0.2). */
  defaultValue: (): { readonly allowInsecureUrls: boolean } => ({ allowInsecureUrls: false })
}) {}

/** Not `URL.canParse`, which misreads names like "bücher.example" on Node 20 and 22 once it is called often. */
const parseAddress = Option.liftThrowable((address: string) => new URL(address))

/**
 * What is wrong with a web address that a caller wants to be used, or null.
 *
 * It has to be absolute, `https:` (or `http:` where the host allows it), without user name or password, and at
 * most 2048 characters (shapes 0.2). The text never repeats the address.
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

/** Fails with a `url_parsing` issue at `loc` unless the address may be used. */
export const checkWebAddress = (
  address: string,
  loc: Loc,
  rules: { readonly allowInsecureUrls: boolean }
): Effect.Effect<void, Invalid> => {
  const issue = webAddressIssue(address, rules)
  return issue === null ? Effect.void : Effect.fail(Invalid.at(loc, "url_parsing", issue))
}
