import { webAddressIssue } from "@trunkline/kernel"
import { Context, Option } from "effect"

/** What rules may do. */
export class NotificationOptions extends Context.Reference<NotificationOptions>()(
  "@trunkline/notifications/NotificationOptions",
  {
    /**
     * `chatHosts`: the hosts that chat webhooks may be at, each with its port unless that is the usual one, or `any`,
     * the default, since the specification asks for no more than https. Whatever is listed, the `HttpSender` still keeps requests out of private networks.
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

/** The host of an address, with its port unless that is the usual one; empty when it is no address. */
const hostOf = (address: string): string =>
  Option.match(parse(address), { onNone: () => "", onSome: ({ host }) => host })

/** What is wrong with the address of a chat webhook, or null (shapes 7.6). Never repeats the address. */
export const chatAddressIssue = (address: string, { allowInsecureUrls, chatHosts }: ChatAddressRules): string | null =>
  webAddressIssue(address, { allowInsecureUrls })
    ?? (chatHosts === "any" || chatHosts.includes(hostOf(address))
      ? null
      : `Should be at one of these hosts: ${chatHosts.join(", ")}`)
