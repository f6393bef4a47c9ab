import { startTalk } from "@trunkline/client/talk"

const at = (id) => document.getElementById(id)
const [call, mute, hangUp, state, words] = ["call", "mute", "hang-up", "state", "words"].map(at)

/** The line of a side that is still being said. */
const partial = {}

const show = ({ final, role, text }) => {
  const line = partial[role] ?? words.appendChild(document.createElement("li"))
  line.textContent = text
  line.className = final ? role : `${role} partial`
  partial[role] = final ? undefined : line
}

const setGoing = (isGoing) => {
  call.disabled = isGoing
  mute.disabled = hangUp.disabled = !isGoing
  mute.setAttribute("aria-pressed", "false")
}

call.onclick = async () => {
  words.replaceChildren()
  setGoing(true)
  state.textContent = "Calling…"
  try {
    const talk = await startTalk({
      url: async () => {
        const response = await fetch("/call", { method: "POST" })
        if (!response.ok) throw new Error("The library cannot be called at present.")
        return (await response.json()).url
      },
      baseUrl: "/voice",
      worklet: "/talk-worklet.js",
      onWords: show,
      onState: (agent) => (state.textContent = `The agent is ${agent}.`)
    })
    mute.onclick = () => {
      const isMuted = mute.getAttribute("aria-pressed") === "false"
      mute.setAttribute("aria-pressed", String(isMuted))
      talk.mute(isMuted)
    }
    hangUp.onclick = talk.hangUp
    const { by, error } = await talk.ended
    state.textContent = error === null ? `The call is over: the ${by} hung up.` : error.message
  } catch (error) {
    state.textContent = error.message
  }
  setGoing(false)
}
