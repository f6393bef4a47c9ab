/** Descriptions of operations, beyond their summaries, by id. */
export const operationTexts: Readonly<Record<string, string>> = {
  "deployments.create": "The agent answers calls to the numbers of the deployment from then on, within its hours.",
  "deployments.list": "Deployments of the workspace, page by page.",
  "deployments.get": "A deployment with its settings and status.",
  "deployments.update": "Changes the fields that are given. The agent of a deployment stays the same.",
  "deployments.remove": "Calls to its numbers are refused from then on; its records stay.",
  "deployments.updateStatus": "A paused deployment refuses calls until it is resumed.",
  "campaigns.create":
    "The campaign calls the contacts of its cohorts, within its times, and retries as its policy says.",
  "campaigns.list": "Campaigns of the workspace, page by page.",
  "campaigns.get": "A campaign with its settings and status.",
  "campaigns.update": "Changes the fields that are given, also while the campaign runs.",
  "campaigns.updateStatus": "A paused campaign starts no calls until it is resumed; a cancelled one never again.",
  "campaigns.contacts": "Every contact once, with its attempts, what it waits for, and when it is due.",
  "campaigns.progress": "How far the campaign is, how fast it dials, and when it is expected to end.",
  "canaries.start":
    "The version calls its percentage of the contacts, always the same ones, and stops by itself when its outcomes are worse.",
  "canaries.updateStatus":
    "A stopped canary calls nobody any more; a promoted one becomes the version of the campaign. Calls that go on end as they are.",
  "campaigns.rehearse": "Runs the campaign against simulated people in simulated time. Nobody is called.",
  "webhooks.list": "Webhooks of the campaign that were or are to be sent, newest first.",
  "webhooks.resend": "Sends webhooks again, by their ids or by their time and status.",
  "webhooks.rotateSecret": "Makes a new secret and shows it once. The old one goes on signing until its grace ends.",
  "deployments.cohorts.upload": "Imports known callers from a file of CSV or XLSX, which is read in the background.",
  "deployments.cohorts.fetch": "Imports known callers from a file that the server downloads.",
  "deployments.cohorts.add": "Imports known callers from the request itself.",
  "deployments.cohorts.list": "Cohorts of the deployment, page by page.",
  "deployments.cohorts.get": "A cohort with the state of its import.",
  "deployments.cohorts.file": "The contacts, the rejected rows or the transformation of an import.",
  "campaigns.cohorts.upload": "Imports people to call from a file of CSV or XLSX, which is read in the background.",
  "campaigns.cohorts.fetch": "Imports people to call from a file that the server downloads.",
  "campaigns.cohorts.add": "Imports people to call from the request itself.",
  "campaigns.cohorts.list": "Cohorts of the campaign, page by page.",
  "campaigns.cohorts.get": "A cohort with the state of its import.",
  "campaigns.cohorts.file": "The contacts, the rejected rows or the transformation of an import.",
  "knowledge.add":
    "Reads a PDF, an HTML page, Markdown or a plain text, and splits it into passages, which agents with its collection find from "
    + "then on. A document with the same source is replaced; the same file again changes nothing.",
  "knowledge.search":
    "The passages with the most telling words of a question, each with its document, heading and page.",
  "knowledge.list": "Documents of the workspace or of one collection, page by page.",
  "knowledge.get": "A document with its source and the number of its passages.",
  "knowledge.remove": "Removes the document with its passages, which no agent finds from then on.",
  "outbounds.start": "Calls one number once. It waits while all lines are busy, and is not retried.",
  "blockedNumbers.add": "No campaign and no single call dials a blocked number from then on.",
  "blockedNumbers.list": "Blocked numbers of the workspace, page by page.",
  "blockedNumbers.remove": "The number can be dialled again.",
  "account.get":
    "The key of the request without its text, the rate limits of its plan with what is left of them, the credits of the "
    + "account, and what all of its keys have used, by day and family.",
  "agents.list":
    "Agents of the server's code or configuration, which are read-only here, and then those of the workspace, each with all of its "
    + "versions.",
  "agents.create":
    "Makes an agent of the workspace with its first version, a draft. A version is checked whole: one response names everything "
    + "that is wrong with it, with its place. Only committed versions take calls.",
  "agents.get": "An agent with all of its versions.",
  "agents.update":
    "Changes the name of an agent of the workspace. With another revision than the present one nothing changes.",
  "agents.versions.list": "All versions of an agent, drafts too.",
  "agents.versions.create":
    "Makes a draft with the next number, from the defaults or from the version `base_version`. A field that is given replaces the "
    + "whole field, and null stands for its default.",
  "agents.versions.get": "A version of an agent with its definition and its revision.",
  "agents.versions.update":
    "Changes the fields of a draft that are given, each as a whole; null stands for the default. With another revision than the "
    + "present one nothing changes, so that two authors lose nothing. A committed version never changes.",
  "agents.versions.commit":
    "Checks a draft once more and commits it: calls, campaigns and deployments may name it from then on, and it never changes. "
    + "The same request again changes nothing.",
  "agents.versions.differences":
    "Fields in which the definition of a version differs from that of `base_version`, and the same as a text to read.",
  "agents.talk":
    "Begins a talk, or says something in one, and answers what the agent said and did until it listens again. It is the same "
    + "conversation as on the phone: tools of the agent really run. A talk is kept in this process until 5 minutes without "
    + "words, and each answer counts and is charged as one of chat.",
  "cohorts.preview":
    "What an upload of the same rows would make of them: the columns, the first people, and the first rows that "
    + "would be rejected, with their reasons. Nothing is stored.",
  "lines.list": "Lines that the workspace can use, with their health and the calls on them.",
  "calls.live": "Events as they happen, until the client leaves: server-sent events, or frames of a WebSocket.",
  "calls.talk":
    "Makes a token with which a browser, or any WebSocket client, calls an agent within a minute, once. Ask for it on your "
    + "server, with your key, and pass `url` to the page. It counts as the start of a call.",
  "browserCalls.open":
    "Only WebSockets are taken. The token in the address stands for a key. The frames are described in the guide to calls from "
    + "browsers.",
  "carrierEvents.receive":
    "Takes an event as its provider signs it; no API key is needed. Its bytes may be of any type. "
    + "Where the provider asks what to do with a call, the response has the instructions in its form.",
  "carrierEvents.ask": "The same for providers that ask with GET. No API key is needed.",
  "carrierEvents.stream":
    "Only WebSockets are taken. The token is that of the address which the provider was given for one call.",
  "analytics.attempts": "Attempts of an agent in a span of time, page by page.",
  "analytics.interactions": "Answered calls of an agent in a span of time, page by page.",
  "analytics.transcript": "What both sides said, turn by turn.",
  "analytics.recording":
    "The sound of both sides, where calls are recorded: the caller left, the agent right. A header Range with one range is answered with 206 and that part.",
  "attempts.get": "An attempt with its transcript. There is none before the call has ended.",
  "attempts.hangUp":
    "Ends a call that goes on, whichever process carries it: it stops ringing, or the agent's side hangs up. Its record comes "
    + "as that of any call. A call that is over is answered as `ended`.",
  "erasures.create":
    "Erases what is recorded about a person: by their identifier, the analytics data; by their number, everything, with a receipt.",
  "boards.list": "Boards of the workspace, page by page.",
  "boards.create": "A board begins with one tab and no widgets.",
  "boards.get": "A board with its tabs and widgets.",
  "boards.update": "Changes the fields that are given.",
  "boards.remove": "Removes the board with its tabs, widgets, filters and notification rules.",
  "boards.tabs.create": "Adds an empty tab at the end.",
  "boards.tabs.update": "Changes the name or the place of a tab.",
  "boards.tabs.remove": "Removes the tab with its widgets.",
  "boards.widgets.create": "Adds a query and the way to draw it. Its filters become those of the board.",
  "boards.widgets.update": "Changes the fields that are given.",
  "boards.widgets.remove": "Removes the widget, and filters that no other widget uses.",
  "boards.filters.list": "Filters of the board's widgets, with their default values.",
  "boards.filters.update": "Changes the label or the default value of a filter.",
  "boards.schema": "Tables and columns that queries can read.",
  "boards.preview": "Runs one SELECT over the facts of the workspace, for up to 15 seconds.",
  "boards.widgets.run": "Runs the query of a widget with these values of its filters.",
  "boards.tabs.run": "Runs every widget of a tab; one that fails does not stop the others.",
  "boards.widgets.chartSvg": "The chart of a widget as an SVG image.",
  "boards.widgets.chartPng": "The chart of a widget as a PNG image.",
  "notifications.create": "Sends results of widgets on a schedule, by mail or to a webhook in Slack's format.",
  "notifications.list": "Rules of the board, page by page.",
  "notifications.get": "A rule with its schedule and receivers.",
  "notifications.update": "Changes the fields that are given.",
  "notifications.remove": "Sends nothing from then on.",
  "notifications.deliveries": "What the rule has sent, newest first.",
  "chat.completions.createCore": "Answers a conversation with a core model, whole or in events as they come.",
  "chat.completions.create": "Answers a conversation, whole or in events as they come.",
  "responses.create": "Answers an input, whole or in events as they come. Nothing is stored.",
  "responses.get": "Responses are not stored, so every id is unknown.",
  "models.listCore": "Core models that chat knows. With a key, those that it may use.",
  "models.getCore": "A core model by its id.",
  "models.list": "Models that chat and responses know. With a key, those that it may use.",
  "models.get": "A model by its id.",
  "voices.create": "Keeps a voice for later, from a clip of 1 to 30 seconds.",
  "voices.speak": "Speaks a text in a voice, and sends the sound as it is made.",
  "voices.generate": "Speaks a text in the voice of a clip or of a saved voice, and answers with the whole sound.",
  "voices.list": "Voices of the account, page by page.",
  "voices.get": "A voice by its id.",
  "voices.remove": "Removes the voice with its clip.",
  "service.live": "Answers while this process turns, whatever it waits for. It needs no key.",
  "service.ready": "Tells whether this process should get requests, with each check by name. It needs no key.",
  "service.health": "Tells whether this process takes calls. It needs no key.",
  "service.openapi": "Describes every route and webhook. It needs no key.",
  "service.docs": "Shows every route and schema on one page, without scripts. It needs no key, and may be switched off."
}
