/** Tells scrolling by the user from what the page does itself. */

/** Milliseconds in which the page may still move after it was drawn or scrolled by itself. */
const SETTLING = 200;

export class Scrolling {
  private quietUntil = 0;
  private waiting = false;

  /** `scrolled` runs once a frame while the user scrolls. */
  constructor(private readonly scrolled: () => void) {
    window.addEventListener('scroll', () => {
      this.moved();
    });
    // Whoever turns the wheel while the page settles means it.
    window.addEventListener('wheel', () => {
      this.quietUntil = 0;
    }, { passive: true });
  }

  /** The page was drawn, or scrolled by itself. */
  settle(): void {
    this.quietUntil = performance.now() + SETTLING;
  }

  private moved(): void {
    if (performance.now() < this.quietUntil || this.waiting) {
      return;
    }
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.scrolled();
    });
  }
}
