import type { Headers } from "@effect/platform"
import { BodyTooLarge, Invalid, issuesOf, UnsupportedContentType } from "@trunkline/errors"
import { Scope } from "@trunkline/kernel"
import type { PresentedKeys } from "@trunkline/rate-limits"
import { Either, Schema } from "effect"
import { LRUCache } from "lru-cache"
import type { RouteInfo } from "../api/RouteTable.js"

const bearerPattern = /^bearer +(\S.*)$/i

/** Reads the API keys from the headers of a request. */
export const presentedKeys = (headers: Headers.Headers): PresentedKeys => ({
  subscriptionKey: headers["api-subscription-key"] ?? null,
  bearer: bearerPattern.exec(headers["authorization"] ?? "")?.[1] ?? null,
  xApiKey: headers["x-api-key"] ?? null
})

/** Checks the declared size of the body. */
export const checkSize = (headers: Headers.Headers, { bodyLimit }: RouteInfo): Either.Either<void, BodyTooLarge> =>
  Number(headers["content-length"] ?? 0) > bodyLimit.bytes
    ? Either.left(new BodyTooLarge({ limitBytes: bodyLimit.bytes }))
    : Either.void

/** Checks the content type of the body. A missing type counts as JSON; compressed bodies are rejected. */
export const checkContentType = (
  headers: Headers.Headers,
  { contentType }: RouteInfo
): Either.Either<void, UnsupportedContentType> => {
  if (contentType === null) return Either.void
  const [sentText = ""] = (headers["content-type"] ?? "application/json").split(";")
  const encoding = headers["content-encoding"] ?? "identity"
  return sentText.trim().toLowerCase() === contentType && encoding === "identity"
    ? Either.void
    : Either.left(new UnsupportedContentType({ supported: [contentType] }))
}

const decodeScope = Schema.decodeUnknownEither(Scope, { errors: "all" })

/** Decoded scopes by their parameters, of which no valid one contains a slash. */
const scopes = new LRUCache<string, Scope>({ max: 10_000 })

/** Reads the workspace from the parameters of a path. */
export const scopeOf = (params: Readonly<Record<string, string | undefined>>): Either.Either<Scope, Invalid> => {
  const name = `${params["org_id"] ?? ""}/${params["workspace_id"] ?? ""}`
  const cachedScope = scopes.get(name)
  if (cachedScope !== undefined) return Either.right(cachedScope)
  return Either.mapBoth(decodeScope(params), {
    onLeft: (error) => new Invalid({ issues: issuesOf(error, "path") }),
    onRight: (scope) => {
      scopes.set(name, scope)
      return scope
    }
  })
}
