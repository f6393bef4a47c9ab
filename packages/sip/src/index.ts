export { header, type Headers, headers, type SipMessage, type SipRequest, type SipResponse } from "./message/Message.js"
