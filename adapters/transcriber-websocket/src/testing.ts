export { deepgramResults, deepgramServer, voskServer } from "./double/Protocols.js"
export {
  type ClientMessage,
  type Peer,
  type Protocol,
  type Refusal,
  type SpeechServer,
  speechServer
} from "./double/SpeechServer.js"
