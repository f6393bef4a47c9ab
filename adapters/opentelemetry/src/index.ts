export * as Telemetry from "./Telemetry.js"
export type { TelemetryOptions } from "./Telemetry.js"
export type { Sampling } from "./Sampler.js"
