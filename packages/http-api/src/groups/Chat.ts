import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { ChatBody, ChatCompletion } from "@trunkline/chat"
import { KeyAdmission } from "../Admission.js"
import { Bad, Missing, ModelOutOfService, NotDone, TooLate, TooManyForModels, WrongType } from "../Reported.js"
import { enabledByKey, LargestBody, Matters } from "../RouteAnnotations.js"
import { largestConversation } from "./ModelBodies.js"

/** Chat completions (specification, Chat completions v1 and v2; shapes 9.1 and 9.2). */
export class ChatGroup extends HttpApiGroup.make("chat")
  .annotate(OpenApi.Description, "Chat completions.")
  .add(
    HttpApiEndpoint.post("v1", "/v1/chat/completions")
      .annotate(OpenApi.Summary, "Create a chat completion with a core model")
      .setPayload(ChatBody.v1)
      .addSuccess(
        ChatCompletion
      )
  )
  .add(
    HttpApiEndpoint.post("v2", "/v2/chat/completions")
      .annotate(OpenApi.Summary, "Create a chat completion")
      .annotateContext(enabledByKey)
      .setPayload(ChatBody.v2)
      .addSuccess(ChatCompletion)
  )
  .addError(Bad)
  .addError(Missing)
  .addError(WrongType)
  .addError(TooManyForModels)
  .addError(NotDone)
  .addError(ModelOutOfService)
  .addError(TooLate)
  .annotate(Matters, "conversation")
  .annotate(LargestBody, largestConversation)
  .middleware(KeyAdmission)
{}
