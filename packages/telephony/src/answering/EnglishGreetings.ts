import type { GreetingCue } from "./GreetingCue.js"

/** Cues of services and machines in English. */
export const englishGreetings: ReadonlyArray<GreetingCue> = [
  {
    meaning: "screening",
    phrases: [
      "(screening service|call screening|is screening|using a screening|being screened|screens (calls|all calls|their calls))",
      "(say|state|tell me|give me) your name",
      "(may|can|could) i have your name and",
      "(record|say|state|give) your name and (|the |your )(reason|purpose|why)",
      "if you (record|say|state|tell me) your",
      "your name and (|the )(reason|purpose)",
      "(reason|purpose) (for calling|for your call|of your call)",
      "why you are calling",
      "truecaller ",
      "(virtual|digital|ai|automated|call|google) assistant",
      "assistant (answering|taking) ",
      "call assist ",
      "before i (connect|put you through|try to connect)",
      "(see|check) if (this person|they|he|she) (is|are|can)"
    ]
  },
  {
    meaning: "ivr",
    phrases: [
      "press (one|two|three|four|nine|zero|0|1|2|3|4|9|star|hash|pound|the|any)",
      "(main menu|menu options|menu has changed|options have changed)",
      "following (options|menu)",
      "listen (carefully|to the)",
      "(choose|select) your language",
      "for (english|hindi) ",
      "(dial|enter) the extension",
      "partys extension",
      "enter your",
      "your call is (important|very)",
      "(your call|this call|call|calls) (may be|will be|are|is being) (recorded|monitored)",
      "your call may be",
      "next available",
      "all (our|of our) (agents|lines|operators|executives|representatives)",
      "all lines are",
      "(stay|remain) on the line",
      "you are in a queue"
    ]
  },
  {
    meaning: "machine",
    phrases: [
      "leave (a|us a|me a|the|your) (message|brief|short|detailed|voice|text|name|quick|number)",
      "please leave (a|an|your|the|us)",
      "leave (me|us|your|it) (your|at|after|name|number|details|message|contact)",
      "(after|wait for|hear) (the|this|a) (beep|tone|signal)",
      "(at|on) the (beep|tone|sound of)",
      "record (your|a) (message|name|voice)",
      "(start|finished) recording",
      "(voicemail|voice mail|mailbox|mail box|voice messages|voice messaging)",
      "(automated|automatic) voice",
      "voice message (system|after)",
      "answering (machine|service)",
      "(come|get|be near|near|reach) (to the|the|to my|my) phone",
      "pick up (the|my|your) (phone|call)",
      "(take|answer|attend|pick) your call",
      "answer (the|my) phone",
      "available to (take|answer)",
      "away from (my|our|the) (phone|desk)",
      "back to you as soon",
      "(call|ring) you back as soon",
      "return your call",
      "call (has been|is being|is|will be) (forwarded|diverted|redirected|transferred to the v)",
      "you have (reached|come through|come to|got through|gotten through|dialled|dialed)",
      "you are (through|connected) to the (voice|mail)",
      "(person|user)…(calling|called|dialled|dialed) (is (not|currently|un|busy|on|away|out|sw)|cannot|does|did)",
      "you (are|were) trying to (reach|call)",
      "you know (what to do|the drill)",
      "the (mobile|mobile phone|phone|cell phone|telephone|number|extension) you (are|have|dialled|dialed|called)",
      "(subscriber|customer|party|extension) (you|is) ",
      "(is|are|been) switched off",
      "(not reachable|out of coverage|not in service|is not valid)",
      "please try (|again |your call )(later|again)",
      "cannot be (completed|connected)",
      "could not be (completed|connected)"
    ]
  },
  {
    meaning: "recording",
    phrases: [
      "(person|user|someone|mobile user) (you|at) (are|have|were|call|called|dialled|dialed|extension) ",
      "the (google|mobile|wireless|vodafone|airtel|jio|bsnl) ",
      "the (subscriber|customer|party|caller|user) ",
      "^your call (has|is|cannot|could) ",
      "^(we are sorry|we regret|sorry the (person|number|party|mobile))",
      "^dear (customer|caller|subscriber)",
      "please (wait|hold) while"
    ]
  },
  {
    meaning: "opening",
    phrases: [
      "^you have (called|rung|contacted) (the|dr|doctor|mr|mrs|ms|miss) ",
      "^you have come ",
      "^this is the ",
      "i am (currently|probably|either|unavailable|away|out |off |unable|afraid|travelling|traveling|not able|not available)",
      "i am (|currently |now )(on|away on) (leave|holiday|holidays|vacation|annual|maternity)",
      "i am not (here|in |at my|around|near)",
      "i (may|might|must) be ",
      "i (cannot|could not) (come|get|take|answer|pick|attend)",
      "i (missed|am sorry i missed)",
      "^sorry (i|we) (missed|am|are|could not|cannot (come|get|take|answer|pick))",
      "we are (not|currently|closed|unable|unavailable|away|out |either|on|open|shut)",
      "we (cannot|missed|could not)",
      "(no one|nobody|none of us|everyone|everybody) (is|can|are|in|from) ",
      "there is (no one|nobody) (here|available|in |at )",
      "if you (leave|would like|need|have|wish|want|know)",
      "if (it|this) is (urgent|an emergency)",
      "^for (urgent|anything|emergencies|emergency|an)",
      "in case of",
      "our (office|clinic|shop|store|practice|hours|business|team|working)",
      "(office|clinic|practice|shop|store) is (closed|currently|now|shut)",
      "(office|opening|business|working) hours",
      "(thanks|thank you) for your call",
      "^greetings from",
      "(unfortunately|currently unavailable|at present|as soon as)",
      "(will|shall) (be back|be out|return your|get back to you|ring you|try to)",
      "(drop|shoot|send) me (a|an) (text|message|line|email)",
      "(message|text) instead"
    ]
  }
]
