export { deepgramResults, deepgramServer, voskServer } from "./testing/Protocols.js"
export {
  type ClientMessage,
  type Peer,
  type Protocol,
  type Refusal,
  type SpeechServer,
  speechServer
} from "./testing/SpeechServer.js"
