import { type HttpRequest, ToolFailed, type ToolHandler } from "@trunkline/agents"
import { Effect } from "effect"
import type { DownloadFailed } from "../guarded/Download.js"
import type { GuardedHttp } from "../guarded/GuardedHttp.js"
import { fillRequest } from "./RequestTemplate.js"
import { readAnswer } from "./ToolAnswer.js"

/** Parts that tools over HTTP need. */
export interface HttpToolParts {
  readonly send: GuardedHttp["Type"]["send"]
  /** Values of `{{secrets.name}}`, by name. They never reach the model: an answer that repeats one has `***` there. */
  readonly secrets: Readonly<Record<string, string>>
}

/** Secrets that are long enough not to be an ordinary word. */
const shortestSecret = 6

const withoutSecrets = (text: string, secrets: HttpToolParts["secrets"]): string =>
  Object.values(secrets).filter(({ length }) => length >= shortestSecret)
    .reduce((rest, secret) => rest.replaceAll(secret, "***"), text)

const unreachable = ({ kind, reason }: DownloadFailed): ToolFailed =>
  new ToolFailed({
    message: kind === "too_large" ? `The service's answer is too long: ${reason}.` : `The service failed: ${reason}.`
  })

/**
 * Makes the handler of a tool over HTTP. Its request goes to public addresses only, unless the client allows more; redirects
 * are not followed. A status other than 2xx, an answer that is too long or not as declared, and a service that cannot be
 * reached become errors that the model is told.
 */
export const httpTool = (request: HttpRequest, { secrets, send }: HttpToolParts): ToolHandler => (input, call) => {
  const guardedRequest = fillRequest(request, { input, call, secrets })
  return typeof guardedRequest === "string"
    ? new ToolFailed({ kind: "arguments", message: guardedRequest })
    : send(guardedRequest).pipe(
      Effect.mapError(unreachable),
      Effect.flatMap((response) => readAnswer(request, { ...response, body: withoutSecrets(response.body, secrets) }))
    )
}
