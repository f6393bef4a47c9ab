import { HttpApiBuilder, type HttpServerRequest, HttpServerResponse } from "@effect/platform"
import type { CohortFileType, CohortFromUrl, CohortOwner, CohortStream } from "@trunkline/cohorts"
import { Engine } from "@trunkline/engine"
import { type CohortId, page, type PageRequest } from "@trunkline/kernel"
import { Effect } from "effect"
import { Requester } from "../Admission.js"
import { Api } from "../Api.js"
import { attachment } from "../ContentDisposition.js"
import { readForm } from "../Form.js"
import { largestForm } from "../groups/CohortBodies.js"

const deployment = (path: { readonly deployment_id: string }): CohortOwner => ({
  kind: "deployment",
  id: path.deployment_id
})
const campaign = (path: { readonly campaign_id: string }): CohortOwner => ({ kind: "campaign", id: path.campaign_id })

/** Answers the cohort routes, which are the same for deployments and campaigns. */
export const cohorts = HttpApiBuilder.group(Api, "cohorts", (handlers) =>
  Effect.map(Engine, ({ cohorts }) => {
    const upload = (owner: CohortOwner, request: HttpServerRequest.HttpServerRequest) =>
      Effect.gen(function*() {
        const { actor, scope } = yield* Requester
        const form = yield* readForm(request, largestForm.bytes)
        return yield* cohorts.upload(scope, owner, { form, createdBy: actor }).pipe(
          Effect.tapBoth({ onFailure: () => form.drain, onSuccess: () => form.drain })
        )
      })

    const fromUrl = (owner: CohortOwner, body: CohortFromUrl) =>
      Effect.flatMap(Requester, ({ actor, scope }) => cohorts.fetch(scope, owner, { body, createdBy: actor }))

    const ofPeople = (owner: CohortOwner, body: CohortStream) =>
      Effect.flatMap(Requester, ({ actor, scope }) => cohorts.stream(scope, owner, { body, createdBy: actor }))

    const list = (owner: CohortOwner, query: PageRequest, { originalUrl }: HttpServerRequest.HttpServerRequest) =>
      Effect.flatMap(Requester, ({ scope }) => cohorts.list(scope, owner, query)).pipe(
        Effect.map(({ items, total }) => page(items, total, query, originalUrl))
      )

    const get = (owner: CohortOwner, id: CohortId) =>
      Effect.flatMap(Requester, ({ scope }) => cohorts.get(scope, owner, id))

    const file = (owner: CohortOwner, id: CohortId, type: CohortFileType) =>
      Effect.flatMap(Requester, ({ scope }) => cohorts.file(scope, owner, { id, type })).pipe(
        Effect.map(({ bytes, contentType, filename, size }) =>
          HttpServerResponse.stream(bytes, {
            contentType,
            ...(size === undefined ? {} : { contentLength: size }),
            headers: { "content-disposition": attachment(filename), "x-content-type-options": "nosniff" }
          })
        )
      )

    return handlers
      .handle("uploadToDeployment", ({ path, request }) => upload(deployment(path), request))
      .handle("fetchToDeployment", ({ path, payload }) => fromUrl(deployment(path), payload))
      .handle("streamToDeployment", ({ path, payload }) => ofPeople(deployment(path), payload))
      .handle("listOfDeployment", ({ path, request, urlParams }) => list(deployment(path), urlParams, request))
      .handle("getOfDeployment", ({ path }) => get(deployment(path), path.cohort_id))
      .handle("fileOfDeployment", ({ path, urlParams }) => file(deployment(path), path.cohort_id, urlParams.file_type))
      .handle("uploadToCampaign", ({ path, request }) => upload(campaign(path), request))
      .handle("fetchToCampaign", ({ path, payload }) => fromUrl(campaign(path), payload))
      .handle("streamToCampaign", ({ path, payload }) => ofPeople(campaign(path), payload))
      .handle("listOfCampaign", ({ path, request, urlParams }) => list(campaign(path), urlParams, request))
      .handle("getOfCampaign", ({ path }) => get(campaign(path), path.cohort_id))
      .handle("fileOfCampaign", ({ path, urlParams }) => file(campaign(path), path.cohort_id, urlParams.file_type))
  }))
