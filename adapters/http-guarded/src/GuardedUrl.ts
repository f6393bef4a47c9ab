import { webAddressIssue } from "@trunkline/kernel"
import { Either } from "effect"

/** Ports from 1024 up that belong to protocols other than HTTP (the Fetch standard's list of blocked ports). */
const foreignPorts: ReadonlySet<number> = new Set([
  1719,
  1720,
  1723,
  2049,
  3659,
  4045,
  4190,
  5060,
  5061,
  6000,
  6566,
  6665,
  6666,
  6667,
  6668,
  6669,
  6679,
  6697,
  10080
])

const firstFreePort = 1024

const isAllowedPort = (port: number): boolean => port >= firstFreePort && !foreignPorts.has(port)

/**
 * The parsed URL, or why it is refused, in words without the URL.
 *
 * Beyond the rule for webhook URLs the port counts: the scheme's own, or one from 1024 up that is not another
 * protocol's, so that nobody makes us speak to a mail server.
 */
export const guardedUrl = (
  url: string,
  options: { readonly allowInsecureUrls: boolean }
): Either.Either<URL, string> => {
  const issue = webAddressIssue(url, options)
  if (issue !== null) return Either.left(`refused URL: ${issue}`)
  const parsed = new URL(url)
  return parsed.port === "" || isAllowedPort(Number(parsed.port))
    ? Either.right(parsed)
    : Either.left("refused URL: Should have a port for HTTP")
}
