import { type HttpApp, HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import { pathOf } from "./Families.js"
import { isRoute } from "./RouteTable.js"

/** A path prefix as it is compared: with a slash before each of its parts, and none at the end. */
export const tidyPrefix = (prefix: string): string =>
  prefix.split("/").filter(Boolean).map((part) => `/${part}`).join("")

const origin = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i

/** What follows the prefix in a request's URL, absolute or from the root; undefined when the URL lies elsewhere. */
export const beneath = (prefix: string, url: string): string | undefined => {
  const target = url.replace(origin, "")
  if (!target.startsWith(prefix)) return undefined
  const rest = target.slice(prefix.length)
  return rest === "" || rest.startsWith("?") ? `/${rest}` : rest.startsWith("/") ? rest : undefined
}

/** Whether a URL, absolute or from the root, is one of the API's under a prefix: adapters leave all others to their host. */
export const handles = (prefix: string, url: string): boolean => {
  const path = beneath(prefix, url)
  return path !== undefined && isRoute(pathOf(path))
}

/**
 * The application under a path prefix such as `/voice`, in which links to other pages keep the prefix. What lies outside
 * of it is as little known as its root.
 */
export const mounted = <E, R>(
  app: HttpApp.Default<E, R>,
  prefixOf: (request: HttpServerRequest.HttpServerRequest) => string
): HttpApp.Default<E, R> =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    const prefix = prefixOf(request)
    if (prefix === "") return app
    const url = beneath(prefix, request.url) ?? "/"
    return Effect.provideService(app, HttpServerRequest.HttpServerRequest, request.modify({ url }))
  })
