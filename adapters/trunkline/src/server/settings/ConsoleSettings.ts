import { Schema } from "effect"
import type { ConsoleOptions } from "../../assembly/ConsolePage.js"
import { optional } from "../ConfigFields.js"

/** Ways to serve the console. */
export const consoleModes = ["on", "off", "read-only"] as const

/** The console of a server. */
export interface ConsoleSettings extends Required<Pick<ConsoleOptions, "links" | "pages">> {
  readonly mode: typeof consoleModes[number]
}

const Title = Schema.String.pipe(
  Schema.pattern(/[\p{L}\p{N}]/u, { message: () => "must have letters or digits" })
).annotations({ arbitrary: () => (random) => random.constantFrom("Runbook", "Staffing") })

const addressOf = (pattern: RegExp, message: string) =>
  Schema.String.pipe(Schema.filter((text) => pattern.test(text), { message: () => message }))
    .annotations({ arbitrary: () => (random) => random.constantFrom("/runbook", "https://ops.example.com/staffing") })

/** Links and pages of the host in the console, as a configuration file has them. */
export const consoleFileSettings = {
  /** Links in the sidebar of the console, each to an address of http or https, or a path of the host. */
  console_links: optional(
    Schema.Array(Schema.Struct({
      title: Title,
      href: addressOf(/^(?:\/|https?:\/\/[^/])/, "must be an address of http or https, or a path such as /runbook")
    })),
    () => []
  ),
  /** Pages inside the console, each an address of https or a path of the host. */
  console_pages: optional(
    Schema.Array(Schema.Struct({
      title: Title,
      src: addressOf(
        /^(?:\/(?![/\\])|https:\/\/[^/]|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:\/|$))/,
        "must be an address of https, or a path such as /runbook"
      )
    })),
    () => []
  )
}
