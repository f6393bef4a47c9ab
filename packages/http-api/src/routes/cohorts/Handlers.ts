import type { HttpServerRequest } from "@effect/platform"
import {
  type CohortFileType,
  type CohortFromUrl,
  type CohortOwner,
  type CohortStream,
  previewCohort
} from "@trunkline/cohorts"
import { Engine } from "@trunkline/engine"
import { type CohortId, makePage, type PageRequest } from "@trunkline/kernel"
import { Effect } from "effect"
import { withScope } from "../../api/Admission.js"
import { formLimit } from "../../api/CohortBodies.js"
import { readForm } from "../../request/FormReader.js"
import { fileResponse } from "../../response/FileResponse.js"
import { routeHandlers } from "../../RouteHandlers.js"

const deployment = (path: { readonly deployment_id: string }): CohortOwner => ({
  kind: "deployment",
  id: path.deployment_id
})
const campaign = (path: { readonly campaign_id: string }): CohortOwner => ({ kind: "campaign", id: path.campaign_id })

/** Handlers of cohorts, which are the same for deployments and campaigns. */
export const cohortsHandlers = routeHandlers("cohorts", (handlers) =>
  Effect.map(Engine, ({ cohorts }) => {
    const upload = (owner: CohortOwner, request: HttpServerRequest.HttpServerRequest) =>
      withScope((scope, createdBy) =>
        Effect.gen(function*() {
          const form = yield* readForm(request, formLimit.bytes)
          return yield* cohorts.upload(scope, owner, { form, createdBy }).pipe(
            Effect.tapBoth({ onFailure: () => form.drain, onSuccess: () => form.drain })
          )
        })
      )

    const fetchFromUrl = (owner: CohortOwner, body: CohortFromUrl) =>
      withScope((scope, createdBy) => cohorts.fetch(scope, owner, { body, createdBy }))

    const createFromContacts = (owner: CohortOwner, body: CohortStream) =>
      withScope((scope, createdBy) => cohorts.stream(scope, owner, { body, createdBy }))

    const list = (owner: CohortOwner, query: PageRequest, { originalUrl }: HttpServerRequest.HttpServerRequest) =>
      Effect.map(
        withScope((scope) => cohorts.list(scope, owner, query)),
        ({ items, total }) => makePage(items, total, query, originalUrl)
      )

    const get = (owner: CohortOwner, id: CohortId) => withScope((scope) => cohorts.get(scope, owner, id))

    const file = (owner: CohortOwner, id: CohortId, type: CohortFileType) =>
      Effect.map(withScope((scope) => cohorts.file(scope, owner, { id, type })), fileResponse)

    return handlers
      .handle("cohorts.preview", ({ payload }) => withScope(() => previewCohort(payload)))
      .handle("deployments.cohorts.upload", ({ path, request }) => upload(deployment(path), request))
      .handle("deployments.cohorts.fetch", ({ path, payload }) => fetchFromUrl(deployment(path), payload))
      .handle("deployments.cohorts.add", ({ path, payload }) => createFromContacts(deployment(path), payload))
      .handle("deployments.cohorts.list", ({ path, request, urlParams }) => list(deployment(path), urlParams, request))
      .handle("deployments.cohorts.get", ({ path }) => get(deployment(path), path.cohort_id))
      .handle("deployments.cohorts.file", ({ path, urlParams }) =>
        file(deployment(path), path.cohort_id, urlParams.file_type))
      .handle("campaigns.cohorts.upload", ({ path, request }) =>
        upload(campaign(path), request))
      .handle("campaigns.cohorts.fetch", ({ path, payload }) => fetchFromUrl(campaign(path), payload))
      .handle("campaigns.cohorts.add", ({ path, payload }) => createFromContacts(campaign(path), payload))
      .handle("campaigns.cohorts.list", ({ path, request, urlParams }) => list(campaign(path), urlParams, request))
      .handle("campaigns.cohorts.get", ({ path }) => get(campaign(path), path.cohort_id))
      .handle("campaigns.cohorts.file", ({ path, urlParams }) =>
        file(campaign(path), path.cohort_id, urlParams.file_type))
  }))
