import { type HttpApp, HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"

const origin = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i

/** What follows the prefix in a request's URL, absolute or from the root; undefined when the URL lies elsewhere. */
export const beneath = (prefix: string, url: string): string | undefined => {
  const target = url.replace(origin, "")
  if (!target.startsWith(prefix)) return undefined
  const rest = target.slice(prefix.length)
  return rest === "" || rest.startsWith("?") ? `/${rest}` : rest.startsWith("/") ? rest : undefined
}

/**
 * The application under a path prefix such as `/voice`, in which links to other pages keep the prefix. What lies outside
 * of it is left to the application, which does not know it.
 */
export const mounted = <E, R>(
  app: HttpApp.Default<E, R>,
  prefixOf: (request: HttpServerRequest.HttpServerRequest) => string
): HttpApp.Default<E, R> =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    const prefix = prefixOf(request)
    const url = prefix === "" ? undefined : beneath(prefix, request.url)
    return url === undefined
      ? app
      : Effect.provideService(app, HttpServerRequest.HttpServerRequest, request.modify({ url }))
  })
