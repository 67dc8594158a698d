/** How long to wait before a server that ended unasked is started again, and when to leave it alone. */

/** Milliseconds before the first, second, … start in a row. */
const DELAYS = [500, 1_000, 2_000, 5_000, 10_000] as const;
/** A server that ran that many milliseconds is in good health: what was before does not count. */
const HEALTHY = 60_000;

export class Backoff {
  private crashes = 0;
  private startedAt: number | undefined;

  constructor(private readonly now: () => number = Date.now) {}

  /** How often the server ended in a row. */
  get count(): number {
    return this.crashes;
  }

  /** The server runs. */
  started(): void {
    this.startedAt = this.now();
  }

  /** The server ended unasked. Returns milliseconds to wait, or nothing where it should not be started again. */
  ended(): number | undefined {
    if (this.startedAt !== undefined && this.now() - this.startedAt >= HEALTHY) {
      this.crashes = 0;
    }
    this.startedAt = undefined;
    this.crashes += 1;
    return DELAYS[this.crashes - 1];
  }

  /** The user starts it: nothing counts any more. */
  reset(): void {
    this.crashes = 0;
    this.startedAt = undefined;
  }
}
