export { type Baresip, startBaresip } from "./peers/Baresip.js"
export { type Authority, type CertificateFiles, makeAuthority } from "./peers/Certificates.js"
export { type Kamailio, startKamailio } from "./peers/Kamailio.js"
export { freePort, hasTools, type PeerProcess, startPeer, temporaryFolder, toolPath } from "./peers/PeerProcess.js"
export { type Sipp, type SippOptions, startSipp } from "./peers/Sipp.js"
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
} from "./peers/SippScenario.js"
