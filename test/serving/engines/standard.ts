import { testEngine } from "@trunkline/http-api/testing"

/** The test engine as it is. */
export const engine = testEngine
