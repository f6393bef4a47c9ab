import { webAddressIssue } from "@trunkline/kernel"
import { Context, Option } from "effect"

/** Restrictions on notification rules. */
export class NotificationOptions extends Context.Reference<NotificationOptions>()(
  "@trunkline/notifications/NotificationOptions",
  {
    /**
     * `chatHosts` lists the hosts that chat webhooks may use, such as `hooks.slack.com`, `127.0.0.1:8065` or `[::1]`;
     * the default `any` admits every https host. A host without a port admits any port. Independently of the list, the
     * `HttpSender` blocks requests into private networks.
     */
    defaultValue: (): { readonly chatHosts: ReadonlyArray<string> | "any" } => ({ chatHosts: "any" })
  }
) {}

/** Rules for the address of a chat webhook. */
interface ChatAddressRules {
  readonly chatHosts: ReadonlyArray<string> | "any"
  /** Allows `http:`. */
  readonly allowInsecureUrls: boolean
}

const parse = Option.liftThrowable((address: string) => new URL(address))

/** A host, in brackets if IPv6, with an optional port. */
const hostEntry = /^(\[[^\]]+\]|[^:/?#@]+)(?::(\d{1,5}))?$/

/** Compares hosts in the normal form of URLs. */
const isAt = ({ hostname, port, protocol }: URL) => (entry: string): boolean => {
  const [, host = "", only] = hostEntry.exec(entry) ?? []
  const isHost = Option.exists(parse(`http://${host}`), (address) => address.hostname === hostname)
  return isHost && (only === undefined || Number(only) === Number(port || (protocol === "https:" ? 443 : 80)))
}

const isListed = (address: string, hosts: ReadonlyArray<string>): boolean =>
  Option.exists(parse(address), (url) => hosts.some(isAt(url)))

/** Reason why the address of a chat webhook is invalid, or null. Does not repeat the address. */
export const chatAddressIssue = (address: string, { allowInsecureUrls, chatHosts }: ChatAddressRules): string | null =>
  webAddressIssue(address, { allowInsecureUrls })
    ?? (chatHosts === "any" || isListed(address, chatHosts)
      ? null
      : `Should be at one of these hosts: ${chatHosts.join(", ")}`)
