export { type Baresip, startBaresip } from "./testing/Baresip.js"
export { type Authority, type CertificateFiles, makeAuthority } from "./testing/Certificates.js"
export { type Kamailio, startKamailio } from "./testing/Kamailio.js"
export { freePort, hasTools, type PeerProcess, startPeer, temporaryFolder, toolPath } from "./testing/PeerProcess.js"
export { type Sipp, type SippOptions, startSipp } from "./testing/Sipp.js"
export {
  act,
  authenticate,
  bodyHas,
  headerHas,
  pause,
  receive,
  receiveCall,
  request,
  requestOfCallee,
  respond,
  respondToInvite,
  scenario,
  sdp,
  type Step
} from "./testing/SippScenario.js"
