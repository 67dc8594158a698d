/** Which answers of a question are buttons of a dialog, beside one that refuses; the others are a list. */

/** The most answers of a dialog, beside its own `Cancel`, and the longest one in characters. */
const BUTTONS = 2;
const LONGEST = 24;

/** True if `titles` say what is done. Paths are a choice, for which no button says what refuses it. */
export function areButtons(titles: readonly string[]): boolean {
  return titles.length <= BUTTONS && titles.every((title) => title.length <= LONGEST && !isPath(title));
}

function isPath(title: string): boolean {
  return /^(\/|~|\.|[A-Za-z]:\\|\\\\)/.test(title);
}
