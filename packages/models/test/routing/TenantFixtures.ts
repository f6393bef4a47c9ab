import type { BreakerOptions, LanguageModel, ModelRequest } from "@trunkline/models"
import { answers, type FakeModel, fakeModel, type FakeStep } from "@trunkline/models/testing"
import { hello } from "./Reading.js"

export type Model = LanguageModel["Type"]

export const few: BreakerOptions = {
  minimumCalls: 4,
  failureThreshold: 0.5,
  window: "30 seconds",
  openFor: "15 seconds"
}

/** A request of a tenant. */
export const of = (tenant: string, request?: string): ModelRequest => ({
  ...hello,
  origin: { tenant, ...request !== undefined && { request } }
})

/** A model that does something else for each tenant; well for those who are not listed. */
export const perTenant = (scripts: Readonly<Record<string, ReadonlyArray<ReadonlyArray<FakeStep>>>>) => {
  const others = fakeModel([answers("Hi")])
  const models: Readonly<Record<string, FakeModel>> = Object.fromEntries(
    Object.entries(scripts).map(([tenant, script]) => [tenant, fakeModel(script)])
  )
  const modelOf = ({ origin }: ModelRequest) => models[origin?.tenant ?? ""] ?? others
  const model: Model = {
    generate: (request) => modelOf(request).generate(request),
    stream: (request) => modelOf(request).stream(request)
  }
  /** The calls of a tenant that were let through. */
  const calls = (tenant: string) =>
    (models[tenant] ?? others).calls.filter(({ request }) => request.origin?.tenant === tenant)
  return { model, calls }
}
