export type { Input } from "./body/Input.js"
export type { InputItem, InputPart } from "./body/InputItem.js"
export { ResponseBody } from "./body/ResponseBody.js"
export * from "./events/ResponseEvent.js"
export type { ResponsesOptions } from "./reading/ReadBody.js"
export type { ResponseAsked } from "./reading/ResponseAsked.js"
export * from "./resource/OutputItem.js"
export {
  type Echo,
  IncompleteDetails,
  type Outcome,
  ResponseError,
  ResponseResource,
  ResponseUsage
} from "./resource/ResponseResource.js"
export * from "./Responses.js"
