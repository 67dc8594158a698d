/** The frame of the preview: what VS Code gives to the preview's page. */
import type { FromPage, PageState, ToPage } from '../../../vscode/src/preview/messages';

let state: PageState | undefined;

Object.assign(window, {
  acquireVsCodeApi: () => ({
    // A frame without an origin of its own cannot name that of the page.
    postMessage(message: FromPage) { parent.postMessage(message, '*'); },
    getState: () => state,
    setState(fresh: PageState) { state = fresh; },
  }),
});

// Nothing but the page is heard.
window.addEventListener('message', (event: MessageEvent<ToPage>) => {
  if (event.source !== parent) {
    event.stopImmediatePropagation();
  }
});
