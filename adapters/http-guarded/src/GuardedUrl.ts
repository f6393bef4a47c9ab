import { webAddressIssue } from "@trunkline/kernel"
import { Either, Option } from "effect"

/** Which URLs the guard lets through, before it looks where they lead. */
export interface UrlRules {
  /** Admits `http:` beside `https:`. */
  readonly allowInsecureUrls: boolean
  /** Admits every port. */
  readonly allowPrivateUrls: boolean
  /** Ports below 1024 beside the scheme's own, which is 443, or 80 for `http:`. */
  readonly allowedPorts: ReadonlyArray<number>
  /** Whether a host, as the URL standard writes it, may be asked at all. */
  readonly allow: (host: string) => boolean
}

const refused = (issue: string): Either.Either<never, string> => Either.left(`refused URL: ${issue}`)

/** Not `URL.canParse`, which misreads names like "bücher.example" on Node 20 and 22 once it is called often. */
export const parseUrl = Option.liftThrowable((url: string, base?: URL) => new URL(url, base))

/** Below it are the ports of mail, remote shells and their like (RFC 6335); above it, of servers such as the one asked for. */
const firstFreePort = 1024

const isPortAllowed = ({ port }: URL, { allowPrivateUrls, allowedPorts }: UrlRules): boolean =>
  port === "" || allowPrivateUrls || Number(port) >= firstFreePort || allowedPorts.includes(Number(port))

/**
 * The parsed URL, or why it is refused, in words without the URL.
 *
 * Beyond the rule for webhook URLs the port counts, so that nobody makes us speak to a mail server, and the list of
 * hosts, where there is one.
 */
export const guardedUrl = (url: string, rules: UrlRules): Either.Either<URL, string> => {
  const parsed = Option.getOrNull(parseUrl(url))
  const issue = webAddressIssue(parsed?.href ?? "", rules)
  if (parsed === null || issue !== null) return refused(issue ?? "Should be an absolute https URL")
  if (!isPortAllowed(parsed, rules)) return refused("Should have no port, or one that is allowed")
  return rules.allow(parsed.hostname) ? Either.right(parsed) : refused("Should have a host that is allowed")
}
