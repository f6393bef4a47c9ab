import type { FallbackRoute } from "@trunkline/models"
import { answers, type FakeModel, fakeModel } from "@trunkline/models/testing"

export const route = (
  name: string,
  model: FakeModel,
  more: Omit<FallbackRoute, "name" | "model"> = {}
): FallbackRoute => ({
  name,
  model,
  ...more
})

export const spare = () => fakeModel([answers("Two")])

export const first = { commitPoint: "firstDelta" } as const

export const complete = { commitPoint: "complete" } as const
