import { Schema } from "effect"

/** Arm of a contact while a campaign tries a version of its agent on some of them: the tried version, or the other. */
export const CanaryArm = Schema.Literal("control", "canary")
export type CanaryArm = typeof CanaryArm.Type
