import { ModelUnavailable } from "@trunkline/errors"
import { Stream } from "effect"
import type { ModelRequest } from "../ModelRequest.js"
import type { Model } from "./Model.js"

const unknown = () => new ModelUnavailable({ message: "No model is set up for this id" })

const nobody: Model = { generate: unknown, stream: () => Stream.fail(unknown()) }

/** Asks the model that a request names, `otherwise` for ids without one. Without that they are `ModelUnavailable`. */
export const routed = (routes: Readonly<Record<string, Model>>, otherwise: Model = nobody): Model => {
  const modelOf = ({ model }: ModelRequest): Model =>
    (Object.hasOwn(routes, model) ? routes[model] : undefined) ?? otherwise
  return {
    generate: (request) => modelOf(request).generate(request),
    stream: (request) => modelOf(request).stream(request)
  }
}
