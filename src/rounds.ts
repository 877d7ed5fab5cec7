/**
 * Does a piece of work again and again: at once when woken, and every moment in case nobody was. Rounds never
 * overlap; whoever wakes during one gets another after it.
 */
export class Rounds {
  readonly #work: () => Promise<unknown>
  readonly #onFailure: (error: unknown) => void
  #running: Promise<void> | undefined
  #again = false
  #stopped = false
  #timer: NodeJS.Timeout | undefined

  constructor(work: () => Promise<unknown>, onFailure: (error: unknown) => void) {
    this.#work = work
    this.#onFailure = onFailure
  }

  start(everyMs: number): void {
    this.#timer = setInterval(() => this.wake(), everyMs)
    this.wake()
  }

  wake(): void {
    if (this.#stopped) return
    this.#again = true
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
    })
  }

  /** Returns when the round that is under way is done. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearInterval(this.#timer)
    await this.#running
  }

  async #run(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false
      await this.#work().catch(this.#onFailure)
    }
  }
}
