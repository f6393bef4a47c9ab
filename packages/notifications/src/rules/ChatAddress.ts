import { webAddressIssue } from "@trunkline/kernel"
import { Context, Option } from "effect"

/** What rules may do. */
export class NotificationOptions extends Context.Reference<NotificationOptions>()(
  "@trunkline/notifications/NotificationOptions",
  {
    /**
     * `chatHosts`: the hosts that chat webhooks may be at, such as `hooks.slack.com`, `127.0.0.1:8065` or `[::1]`, or
     * `any`, the default, since the specification asks for no more than https. A host without a port is admitted at any
     * port, one with a port only at that. Whatever is listed, the `HttpSender` still keeps requests out of private networks.
     */
    defaultValue: (): { readonly chatHosts: ReadonlyArray<string> | "any" } => ({ chatHosts: "any" })
  }
) {}

/** What decides whether a chat webhook's address may be used. */
export interface ChatAddressRules {
  readonly chatHosts: ReadonlyArray<string> | "any"
  /** Admits `http:`. */
  readonly allowInsecureUrls: boolean
}

const parse = Option.liftThrowable((address: string) => new URL(address))

/** A host, in brackets when it is an IPv6 address, and perhaps a port. */
const listed = /^(\[[^\]]+\]|[^:/?#@]+)(?::(\d{1,5}))?$/

/** Hosts are compared as URLs spell them. */
const isAt = ({ hostname, port, protocol }: URL) => (entry: string): boolean => {
  const [, host = "", only] = listed.exec(entry) ?? []
  const isHost = Option.exists(parse(`http://${host}`), (known) => known.hostname === hostname)
  return isHost && (only === undefined || Number(only) === Number(port || (protocol === "https:" ? 443 : 80)))
}

const isListed = (address: string, hosts: ReadonlyArray<string>): boolean =>
  Option.exists(parse(address), (url) => hosts.some(isAt(url)))

/** What is wrong with the address of a chat webhook, or null (shapes 7.6). Never repeats the address. */
export const chatAddressIssue = (address: string, { allowInsecureUrls, chatHosts }: ChatAddressRules): string | null =>
  webAddressIssue(address, { allowInsecureUrls })
    ?? (chatHosts === "any" || isListed(address, chatHosts)
      ? null
      : `Should be at one of these hosts: ${chatHosts.join(", ")}`)
