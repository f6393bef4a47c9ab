/** Samples per second of the voice. */
export const rate = 16_000

/** 0.3 seconds of something like a voice: harmonics of a gliding tone that swell and fade. */
export const voice: Float32Array = (() => {
  const samples = new Float32Array(0.3 * rate)
  let phase = 0
  for (let at = 0; at < samples.length; at++) {
    const time = at / rate
    phase += 2 * Math.PI * (140 + 30 * Math.sin(4.4 * time)) / rate
    let sum = 0
    for (let harmonic = 1; harmonic <= 12; harmonic++) sum += Math.sin(phase * harmonic + harmonic ** 2) / harmonic
    samples[at] = 0.25 * sum * (0.55 + 0.45 * Math.sin(19 * time))
  }
  return samples
})()

/** The voice as ADTS at 48 kbit/s, written by FFmpeg (@mediabunny/aac-encoder). It begins 1,024 samples late. */
export const voiceAdts: Uint8Array = Uint8Array.from(
  atob(
    "//FgQEK//N4CAExhdmM2Mi4yMy4xMDMAAjirXahEJlaaws76pV4451eSUur29PZEYH+D//8J8JLoLoV+tyAqTTkASCZMLgmYIbvP2K8gmIRSEh" +
      "CrERGIMq2jJyZnyG6zdERSARdqfGT4CZBTsshQhk23yeMkEwoJuFJP2vdEpgyEohXuzJHk4MshwY8yszsgjADUyCE6qQhg/WPztQ8QGPP5B9Wz" +
      "ZJOXKJxUEzoqcnT9Fj5wJpg1tIIV5hA4CBR1ZkwHH9uEweTd0YhOmkITCDi/qLMN0tZipnEQjWCE4qjN+J1XpXzP/AnCoy/FIIDbgKkJIXchMI" +
      "cgHn+UTrSazF1nVmm800GaVDE5tolAOQiMIKbdh8gB5ZsFVqDVNAsr9lNTTUyWZPPPPPPPPPPbfbfbfbfbZbZbZbZdZdZdZdZdZdZdZdZdZdZd" +
      "ZdZdZdZdZdZdZdZdZdZdZdZdZdZdZdZdZdZdZdZdZCwsLCwsLCwsLCwsLCwsLCwsLCwsLCwsLCwsLCwsLCwsLCwsLCwsLCk/D/igh4g8Uk/D/i" +
      "gh4g8UE/D/igh4g8Tk/EHigh4g8Tk/EHich4g8Tk/EHich4g8TE/EHiYh4g8TE/EHiYh4h8TE/EPiUh4h8Sk/EPiUh4h8Sk/EPiUh4h8Sk/EXi" +
      "Qh4i8SE/EXiQh4i8SE/EXiQh4i8Rk/EXiMh4i8Rk/EfiMh4j8R//8WBAK//8AWae2TDtdmtKLXaYorfJcOPaZ9/fX/l564YGuP+39ONXnl9fjW" +
      "r11/+H7cIPb641rXX/4fKB+Na1rXAqXmzMn12UNTU1QatS0oxOOjYVF4bjsYlJW/JXxM9pWr3poFepYNm0NVqcmntd9HULSCVjrYPNLfmDzbrr" +
      "mPAPUIAJDz1FE87zz1FFE88/O89RRRPPPzvPPUUUUTzzh555gooooE884DzzAKKKDCeedQIoyZDgkggWSR5qbJ2hJnwX17kSgSdvy+POE6kR6F" +
      "4lKQ5i7P/l9Lo7q/tjqzn7t/9nsTfn41dsdp+fketJO3cv8v5dQodmP8I64i37zYnnn+Xy+X0+gnnn+Xy+X0+jJ551fL5fL5fT6c4nnnA+Xy+X" +
      "MPpzsAnnUB8vkoD6PAAkyET5y4gYl1CnQdUzMLPPPuFb9uertgVUVzvPPPPPc7z3053nvo888x55gHD/8WBAIj/8AR71rHVDCxSLqLC/19e1d+" +
      "3PXK5n17rqLc//frh55hHNEuXr/+AQxjuH+6hYXbTrtsmhgOLKp5s2bSXBfT84WkgmQTkEfdbBKJBiCCNSWZ9chCQQQRWLXuXG7WuCCCCGr2vX" +
      "A8ZA9EUmC41VFZ8UUUQtdvO3ngggimWsrOlMerDBFYyMLnTWxq3IQzJVbc9x7R8JBFY2WlxUbi/7+DpxxxmZALDDDCRxBmxxxZgJ3d3cQBmZmZ" +
      "gd8MMJHEG+PjMPf30D4+PgZ/f3GT4+Bn9/cP/HwHff3J/4+DO+/uD333TgoMBDk0Fig851K2tXfFfYvxXw3EpGjOqdW7d37nGwY8a4g+5I0GEP" +
      "+Af/8WBAKZ/8APowryxYDYWC/T/j/fn8//l//Y/2n9f5/R+vv+/7ff56rjv//9zu76+v8f6hMlTJSyi6UPcikgQ8Kdi8oAH6RnZWDtoRU0Cy7Y" +
      "4fJ0FnYOCjlQdiPjQANRdSkUIcpESLLHXgYzyISGzcRIDPvchlgACzj8sSIUmfHk4wtbrwLFjrIQiSYFFQbsMQiE6wKQ3F2v7qRKqzVzMbsBwH" +
      "S2mfgEkMJJXnZMzrwAGqFQBb6+pT3KBSUySROMmYGqz7JP7aRGYiqERkQCSpxCKBwNCzX356dwf5Z0LRTrMPC22IBOcL8JT8IcrugsGgrqwxwx" +
      "wxkmkmdnZ2dnZ2dnZ2dnZ2dnZ2cyN2dnZ2dnZzubq5srGysbKxsrGysbKfVScmTUykmUUzsmuT10njp66RO6JQPJ55QPKZ5MPbfbfbfdZdfdZd" +
      "fdZdf//xYEAo3/wBADWvDhYiN0L/j7frz4/Hep3rOt3mLhnX4s2ABBBpDiy4SYDH2TQqKdHz+Ww7vBe9yYQhd7jSR5LAFQSKKjNrPmOjdGPIXV" +
      "EMFTliAMHGEXVmhUZpy0E4dXL0UODpxy0Cg93D7W61s+YIA52cYfiEMFTliCGt2MevQdXAQoB0J1p7AhiwcKHBkxQbfz5WzEhQ44kCp7V8bjjj" +
      "gBSJ3RaSab/78OsGcoZT2ZjdOeY3ZNnLdklkpZT2ZvlOeY3ZNnKWSWSvlOIRtgA9IwHiEbZgekYPiEbZgekYPiEbZgekYPiEbZgekYPiEbZgfA" +
      "wfERtmB8DB8RG2YHwMHxEbZgfAwfERtmB8DB8RG2YHwMHxEbZgfAwfEWtmB9jB8Ra2YH2KPiLVmB9ij4i1ZgfYo+ItWYH2KPiLVmB9ij4i1Zjg" +
      "//FgQCaf/AEMNa2U1jEjSP27nHPGNevrnW7y6kyVrqb1HICCgSNGeQRXaNvYlG3DeNeLcVaO3vyV5WD/Fzb6MSADsrR0xDu2CwVZUqeppWQxjb" +
      "MNUIMfdpTmxLMV3DkPmHm12cbVq/9p/u/U41bEMybD13jvWcaI2XJVLpsn4H73z2sumz8xnZWG/K+C25UGCSSgys21ZUvkY0A05FcV7sXWrlNn" +
      "VqaOLrvHeq2FwEEEEiZJGktqypcKpOGKRBqxxLCqnGMJKcUrkPGatxZicWYHc8UrkWmYsBpxjCQ8UrwXGYsBpmLCQ8UrkPGbPlb0ZN0ObPlb0Z" +
      "N0ObPlb0ZN0ObPlb0ZHYc2d9vRkdhzZ329GR2HNnfb0ZHYc2d9vRkdhzZ329GR2HNnO3oyJhzZzt6MiS4="
  ),
  (character) => character.charCodeAt(0)
)
