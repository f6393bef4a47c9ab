import type { Family } from "@trunkline/errors"
import type { RouteFamily } from "@trunkline/rate-limits"

/** What the paths under one prefix have in common. */
export interface PathFamily {
  /** How failures are reported. */
  readonly failures: Family
  /** Which headers may hold the key. */
  readonly keys: RouteFamily
}

const families: ReadonlyArray<PathFamily & { readonly prefix: string }> = [
  { prefix: "/v1/orgs/", failures: "org", keys: "orgs" },
  { prefix: "/analytics/v1/", failures: "org", keys: "analytics" },
  { prefix: "/api/analytics/v1/", failures: "boards", keys: "boards" },
  { prefix: "/v1/chat/", failures: "chat", keys: "main" },
  { prefix: "/v2/chat/", failures: "chat", keys: "main" },
  { prefix: "/v2/models", failures: "chat", keys: "main" },
  { prefix: "/v2/responses", failures: "responses", keys: "main" },
  { prefix: "/voices", failures: "voices", keys: "main" }
]

/** The family of a path, also of one that has no route (specification, Versioning). Paths of no family are `org`. */
export const familyOf = (path: string): PathFamily =>
  families.find(({ prefix }) => path.startsWith(prefix)) ?? { failures: "org", keys: "orgs" }

const pathPattern = /^(?:[a-z][a-z\d+.-]*:\/\/[^/?#;]*)?([^?#;]*)/i

/** The path of a request's URL, absolute or from the root, as it was sent: percent-encoded and without the query. */
export const pathOf = (url: string): string => pathPattern.exec(url)?.[1] || "/"
