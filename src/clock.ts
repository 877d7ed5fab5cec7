/** Milliseconds since 1970; tests have their own. */
export type Clock = () => number

/** The day it is now in a time zone, as `YYYY-MM-DD`. */
export function todayIn(timeZone: string, clock: Clock): string {
  return Temporal.Instant.fromEpochMilliseconds(clock())
    .toZonedDateTimeISO(timeZone)
    .toPlainDate()
    .toString()
}
