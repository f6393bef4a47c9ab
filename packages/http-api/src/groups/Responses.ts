import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { ResponseBody, ResponseResource } from "@trunkline/responses"
import { Schema } from "effect"
import { KeyAdmission } from "../Admission.js"
import { Bad, Missing, ModelOutOfService, NotDone, TooLate, TooManyForModels, WrongType } from "../Reported.js"
import { enabledByKey, inBeta, LargestBody, Matters } from "../RouteAnnotations.js"
import { largestConversation } from "./ModelBodies.js"

/** Responses (specification, Responses; shapes 9.4 and 9.5). Nothing is kept: to ask for one by its id finds nothing. */
export class ResponsesGroup extends HttpApiGroup.make("responses")
  .annotate(OpenApi.Description, "Stateless model responses.")
  .add(
    HttpApiEndpoint.post("create", "/v2/responses")
      .annotate(OpenApi.Summary, "Create a response")
      .annotateContext(enabledByKey)
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
      .annotate(OpenApi.Summary, "Get a response by its id, which is never there")
      .annotateContext(inBeta("In beta. Nothing is kept, so that every id is answered with 404."))
      .setPath(Schema.Struct({ response_id: Schema.String }))
      .addSuccess(ResponseResource)
  )
  .addError(Missing)
  .annotate(Matters, "conversation")
  .middleware(KeyAdmission)
{}
