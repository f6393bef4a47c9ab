export { testEngine as engine } from "@trunkline/http-api/testing"
