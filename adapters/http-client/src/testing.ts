export {
  type FakeServer,
  fakeServer,
  formOf,
  jsonOf,
  listening,
  type Script,
  type Seen,
  type Step,
  tcp
} from "./testing/FakeServer.js"
