export { type DefineTest, sipTransportLaws, type TransportPair } from "./transport/SipTransport.laws.js"
