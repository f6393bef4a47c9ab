export {
  type FakeServer,
  fakeServer,
  formOf,
  jsonOf,
  listening,
  type ResponseScript,
  type Seen,
  type Step,
  tcp
} from "./testing/FakeServer.js"
