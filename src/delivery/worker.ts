import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import type { Database } from '../db/database.ts'
import type { Logger } from '../logger.ts'
import type { SecretBox } from '../secret-box.ts'
import { keptOf } from './kept.ts'
import { compose } from './message.ts'
import {
  type AttemptResult,
  type Bounds,
  type Claim,
  claimDeliveries,
  releaseClaims,
  sweepDeliveries,
} from './queue.ts'
import { AttemptRecorder } from './recorder.ts'
import { afterAttempt, type RetryPolicy } from './retry.ts'
import type { Outcome, Sender } from './sender.ts'

interface WorkerOptions {
  db: Database
  secrets: SecretBox
  sender: Pick<Sender, 'send' | 'stop' | 'close'>
  policy: RetryPolicy
  clock: Clock
  logger: Logger
  /** Told what came of each attempt. */
  onAttempt(attempt: AttemptEnd): void
}

type AttemptEnd = Pick<AttemptResult, 'state' | 'status' | 'error'>

/** Attempts in flight: of this process, and across all workers of one company and one subscription. */
const SLOTS = 1_024
const BOUNDS: Bounds = { perSubscription: 16, perCompany: 48 }
const SECRETS_KEPT = 1_000
/** What nobody woke us for is found at the next look. */
const POLL_MS = 1_000
const SWEEP_MS = 24 * 60 * 60 * 1_000
/** What is under way when the process stops may be finished so long. */
const DRAIN_MS = 3_000

/**
 * Carries deliveries out: claim, send with no transaction open, record. It remembers nothing that is not a
 * row: what a crash interrupts falls due again when its lease runs out.
 */
export class Worker {
  readonly #options: WorkerOptions
  readonly #inFlight = new Map<Claim, Promise<void>>()
  readonly #recorder: AttemptRecorder
  /** Companies to look at next, or all of them. */
  readonly #woken = new Set<string>()
  #lookAtAll = false
  /** Companies of which more was due than may be in flight: what ends makes room for it. */
  readonly #waiting = new Set<string>()
  /** Opened secrets, by what they are sealed as: opening one costs as much as signing with it. */
  readonly #secrets = new Map<string, string>()
  #claiming: Promise<void> | undefined
  #stopped = false
  /** What is under way is broken off. */
  #broken = false
  #timers: NodeJS.Timeout[] = []

  constructor(options: WorkerOptions) {
    this.#options = options
    this.#recorder = new AttemptRecorder(options.db, options.logger)
  }

  start(): void {
    const poll = () => this.wake()
    this.#timers = [setInterval(poll, POLL_MS), setInterval(() => this.#sweep(), SWEEP_MS)]
    this.#sweep()
    poll()
  }

  /** Something is due, of this company or of any. */
  wake(company?: string): void {
    if (company === undefined) this.#lookAtAll = true
    else this.#woken.add(company)
    this.#claimSoon()
  }

  #claimSoon(): void {
    if (this.#stopped) return
    this.#claiming ??= this.#claimWhatIsDue().finally(() => {
      this.#claiming = undefined
      // Who was woken just as the last claim ended is not left to the next look.
      const more = this.#lookAtAll || this.#woken.size > 0
      if (more && this.#inFlight.size < SLOTS) this.#claimSoon()
    })
  }

  /** Finishes what is under way, for a moment; the rest is given back and costs no attempt. */
  async stop(): Promise<void> {
    this.#stopped = true
    for (const timer of this.#timers) clearInterval(timer)
    await this.#claiming
    const finished = Promise.all(this.#inFlight.values())
    await Promise.race([finished, sleep(DRAIN_MS, undefined, { ref: false })])
    const unfinished = [...this.#inFlight.keys()]
    this.#broken = true
    this.#options.sender.stop()
    await finished
    if (unfinished.length > 0) {
      await releaseClaims(this.#options.db, unfinished).catch((err: unknown) => {
        this.#options.logger.warn({ err }, 'claims are left until their lease runs out')
      })
    }
    await this.#options.sender.close()
  }

  async #claimWhatIsDue(): Promise<void> {
    const { db, logger } = this.#options
    // Those that are woken in the same turn of the event loop are one claim.
    await new Promise((resolve) => setImmediate(resolve))
    while (!this.#stopped && (this.#lookAtAll || this.#woken.size > 0)) {
      const free = SLOTS - this.#inFlight.size
      // Attempts that end make room, and see that there is more to do.
      if (free === 0) return
      const companies = this.#lookAtAll ? undefined : [...this.#woken]
      this.#lookAtAll = false
      this.#woken.clear()
      try {
        const claims = await claimDeliveries(db, free, BOUNDS, companies)
        for (const claim of claims) this.#begin(claim)
        this.#noteWhoWaits(claims, companies ?? [])
        // Of a backlog each subscription has had its share: there may be more.
        if (companies === undefined && claims.length > 0) this.#lookAtAll = true
      } catch (err) {
        logger.warn({ err }, 'deliveries cannot be claimed; the next look tries again')
        return
      }
    }
  }

  #noteWhoWaits(claims: readonly Claim[], asked: readonly string[]): void {
    for (const { tenant_id: company, more } of claims) {
      if (more) this.#waiting.add(company)
      else this.#waiting.delete(company)
    }
    // Nothing came of these. Where nothing of theirs is in flight here, no end of it will make room.
    const busy = new Set([...this.#inFlight.keys()].map(({ tenant_id }) => tenant_id))
    for (const company of asked) if (!busy.has(company)) this.#waiting.delete(company)
  }

  #begin(claim: Claim): void {
    const done = this.#deliver(claim)
      .catch((err: unknown) => {
        if (this.#broken) return
        this.#options.logger.error({ err, delivery: claim.id }, 'delivery could not be attempted')
      })
      .finally(() => {
        this.#inFlight.delete(claim)
        if (this.#waiting.has(claim.tenant_id)) this.#woken.add(claim.tenant_id)
        const more = this.#lookAtAll || this.#woken.size > 0
        // Of a backlog, many are claimed at once: one at a time would cost a claim each.
        if (more && this.#inFlight.size <= SLOTS / 2) this.#claimSoon()
      })
    this.#inFlight.set(claim, done)
  }

  async #deliver(claim: Claim): Promise<void> {
    const { clock, sender, policy, logger, onAttempt } = this.#options
    const started = clock()
    const begun = performance.now()
    const secrets = this.#secretsOf(claim)
    const { id, event_kind: kind, event_seq: seq, data, url } = claim
    const message = { url, ...compose({ id, kind, seq, data }, secrets, started) }
    const outcome = await sender.send(message)
    const milliseconds = Math.round(performance.now() - begun)
    const { status, error } = outcome
    const next = afterAttempt(succeeded(outcome), Number(claim.attempts) + 1, policy)
    logger.info(
      {
        ...{ requestId: claim.request_id, delivery: claim.id, event: claim.event_kind },
        ...{ status, error, milliseconds, state: next.state },
      },
      'webhook attempt',
    )
    onAttempt({ state: next.state, status, error })
    await this.#recorder.record({
      ...keptOf(outcome, secrets, message.headers),
      tenant_id: claim.tenant_id,
      subscription_id: claim.subscription_id,
      url,
      id,
      token: claim.token,
      state: next.state,
      wait: next.state === 'pending' ? next.wait : null,
      reason: reasonOf(outcome),
      started_at: new Date(started).toISOString(),
      duration_ms: milliseconds,
    })
  }

  /** The newest first; the one before it while it is still in force. */
  #secretsOf({ secret, previous_secret, ...claim }: Claim): string[] {
    return [secret, previous_secret]
      .filter((sealed) => sealed !== null)
      .map((sealed) => {
        const known = this.#secrets.get(sealed)
        if (known) return known
        if (this.#secrets.size >= SECRETS_KEPT) this.#secrets.clear()
        const opened = this.#options.secrets.open(sealed, claim.tenant_id, claim.subscription_id)
        this.#secrets.set(sealed, opened)
        return opened
      })
  }

  #sweep(): void {
    const { db, logger } = this.#options
    sweepDeliveries(db).catch((err: unknown) => logger.warn({ err }, 'the daily sweep failed'))
  }
}

/** A redirect is below 400 and ends the delivery, though nothing was followed. */
function succeeded({ status }: Outcome): boolean {
  return status !== null && status < 400
}

function reasonOf({ status }: Outcome): string | null {
  return status !== null && status >= 300 && status < 400 ? 'redirect-not-followed' : null
}
