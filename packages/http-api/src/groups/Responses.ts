import { HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import { ResponseBody, ResponseResource } from "@trunkline/responses"
import { Schema } from "effect"
import { KeyAdmission } from "../Admission.js"
import { Bad, Missing, ModelOutOfService, NotDone, TooLate, TooManyForModels, WrongType } from "../Reported.js"
import { LargestBody, Matters } from "../RouteAnnotations.js"
import { largestConversation } from "./ModelBodies.js"

/** Responses (specification, Responses; shapes 9.4 and 9.5). Nothing is kept: to ask for one by its id finds nothing. */
export class ResponsesGroup extends HttpApiGroup.make("responses")
  .add(
    HttpApiEndpoint.post("create", "/v2/responses")
      .setPayload(ResponseBody)
      .addSuccess(ResponseResource)
      .addError(Bad)
      .addError(WrongType)
      .addError(TooManyForModels)
      .addError(NotDone)
      .addError(ModelOutOfService)
      .addError(TooLate)
      .annotate(LargestBody, largestConversation)
  )
  .add(
    HttpApiEndpoint.get("get", "/v2/responses/:response_id")
      .setPath(Schema.Struct({ response_id: Schema.String }))
      .addSuccess(ResponseResource)
  )
  .addError(Missing)
  .annotate(Matters, "conversation")
  .middleware(KeyAdmission)
{}
