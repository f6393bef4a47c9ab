import { testEngine } from "@trunkline/http-api/testing"

/** The unchanged test engine. */
export const engine = testEngine
