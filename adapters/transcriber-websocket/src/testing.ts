export { deepgramResults, deepgramServer, type Segment, segment, voskServer } from "./testing/Protocols.js"
export {
  type DoubleOptions,
  fluxServer,
  openAiServer,
  type Problems,
  sarvamServer,
  scribeServer
} from "./testing/ProviderProtocols.js"
export {
  type ClientMessage,
  type HandshakeRefusal,
  type Peer,
  type Protocol,
  type SpeechServer,
  speechServer
} from "./testing/SpeechServer.js"
