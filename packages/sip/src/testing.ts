export { type DefineTest, sipTransportLaws, type TransportPair } from "./testing/SipTransport.laws.js"
