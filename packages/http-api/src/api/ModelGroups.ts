import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { ChatBody, ChatCompletion } from "@trunkline/chat"
import { ResponseBody, ResponseResource } from "@trunkline/responses"
import { Schema } from "effect"
import {
  Error404,
  Error415,
  Error503,
  Error504,
  ModelError400,
  ModelError429,
  ModelError502,
  ModelError503
} from "../errors/ErrorSchemas.js"
import { KeyAdmission } from "./Admission.js"
import { betaEndpoint, betaPerKey, BodyLimit, type BodySize, RouteImportance } from "./RouteDeclaration.js"

/** Largest body of chat and responses: 10 MiB, and as many values as ten thousand messages with their parts have. */
const conversationLimit: BodySize = { bytes: 10_485_760, values: 100_000 }

/** Chat completions: v1 with core models, v2 with every model. */
export class ChatGroup extends HttpApiGroup.make("chat", { topLevel: true })
  .annotate(OpenApi.Description, "Chat completions.")
  .add(
    HttpApiEndpoint.post("chat.completions.createCore", "/v1/chat/completions")
      .annotate(OpenApi.Summary, "Create a chat completion with a core model")
      .setPayload(ChatBody.v1)
      .addSuccess(
        ChatCompletion
      )
  )
  .add(
    HttpApiEndpoint.post("chat.completions.create", "/v2/chat/completions")
      .annotate(OpenApi.Summary, "Create a chat completion")
      .annotateContext(betaPerKey)
      .setPayload(ChatBody.v2)
      .addSuccess(ChatCompletion)
  )
  .addError(ModelError400)
  .addError(Error404)
  .addError(Error415)
  .addError(ModelError429)
  .addError(ModelError502)
  .addError(ModelError503)
  .addError(Error504)
  .annotate(RouteImportance, "conversation")
  .annotate(BodyLimit, conversationLimit)
  .middleware(KeyAdmission)
{}

/** Model responses. They are stateless: no response is stored, so a lookup by id is always a 404. */
export class ResponsesGroup extends HttpApiGroup.make("responses", { topLevel: true })
  .annotate(OpenApi.Description, "Stateless model responses.")
  .add(
    HttpApiEndpoint.post("responses.create", "/v2/responses")
      .annotate(OpenApi.Summary, "Create a response")
      .annotateContext(betaPerKey)
      .setPayload(ResponseBody)
      .addSuccess(ResponseResource)
      .addError(ModelError400)
      .addError(Error415)
      .addError(ModelError429)
      .addError(ModelError502)
      .addError(ModelError503)
      .addError(Error504)
      .annotate(BodyLimit, conversationLimit)
  )
  .add(
    HttpApiEndpoint.get("responses.get", "/v2/responses/:response_id")
      .annotate(OpenApi.Summary, "Get a response by its id (always 404)")
      .annotateContext(betaEndpoint("In beta. Responses are not stored, so every id is answered with 404."))
      .setPath(Schema.Struct({ response_id: Schema.String }))
      .addSuccess(ResponseResource)
  )
  .addError(Error404)
  .annotate(RouteImportance, "conversation")
  .middleware(KeyAdmission)
{}

/** Model in a list. */
const ListedModel = Schema.Struct({
  id: Schema.String,
  object: Schema.Literal("model"),
  /** Unix seconds. */
  created: Schema.Int,
  owned_by: Schema.String
}).annotations({ identifier: "Model" })

/** Models that a version serves. With a key, only those that it may use. */
const ModelList = Schema.Struct({
  object: Schema.Literal("list"),
  data: Schema.Array(ListedModel)
}).annotations({ identifier: "ModelList" })

/** Models of chat and responses. */
export class ModelsGroup extends HttpApiGroup.make("models", { topLevel: true })
  .annotate(OpenApi.Description, "The models of each version.")
  .add(
    HttpApiEndpoint.get("models.listCore", "/v1/models")
      .annotate(OpenApi.Summary, "List the core models")
      .addSuccess(ModelList)
      .addError(Error503)
  )
  .add(
    HttpApiEndpoint.get("models.getCore", "/v1/models/:model_id")
      .annotate(OpenApi.Summary, "Get a core model")
      .setPath(Schema.Struct({ model_id: Schema.String }))
      .addSuccess(ListedModel)
      .addError(Error404)
      .addError(Error503)
  )
  .add(
    HttpApiEndpoint.get("models.list", "/v2/models")
      .annotate(OpenApi.Summary, "List models")
      .addSuccess(ModelList)
      .addError(Error503)
  )
  .add(
    HttpApiEndpoint.get("models.get", "/v2/models/:model_id")
      .annotate(OpenApi.Summary, "Get a model")
      .setPath(Schema.Struct({ model_id: Schema.String }))
      .addSuccess(ListedModel)
      .addError(Error404)
      .addError(Error503)
  )
{}
