/** Makes an element with a class. */
export function element<K extends keyof HTMLElementTagNameMap>(name: K, className?: string): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  if (className !== undefined) {
    made.className = className;
  }
  return made;
}
