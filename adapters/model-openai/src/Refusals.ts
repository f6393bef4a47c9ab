import { ModelUnavailable } from "@trunkline/errors"
import type { ModelFailure, ModelRequest } from "@trunkline/models"
import { capabilitiesBy } from "./Capabilities.js"
import type { Options } from "./Options.js"
import { lacking } from "./outbound/Body.js"

/** Says why an upstream is not asked such a request at all; null when it is. */
export const refusalBy = (
  { capabilities = {}, models = {}, strictModels = false }: Options
): (request: ModelRequest) => ModelFailure | null => {
  const capabilitiesOf = capabilitiesBy(capabilities)
  return (request) =>
    strictModels && !Object.hasOwn(models, request.model)
      ? new ModelUnavailable({ message: "This model is not available here", lasting: true })
      : lacking(request, capabilitiesOf(request.model))
}
