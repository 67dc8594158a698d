/** The page: opens documents, and connects the editor, the chat and the engine. */
import sample from '../sample/broken-session.jsonl';
import { Session } from './session';
import { documentOf } from './text/link';

const session = new Session(() => void session.openText('broken-session.jsonl', sample));

document.addEventListener('paste', (event) => {
  const { target } = event;
  const isInText = target instanceof Element && target.closest('.cm-editor, input') !== null;
  const files = [...(event.clipboardData?.files ?? [])];
  const text = event.clipboardData?.getData('text/plain') ?? '';
  if (!isInText && (files.length > 0 || text.trim() !== '')) {
    event.preventDefault();
    void (files.length > 0 ? session.openFiles(files) : session.openText('', text));
  }
});

document.addEventListener('dragover', (event) => {
  event.preventDefault();
  document.body.classList.add('dropping');
});
document.addEventListener('dragleave', (event) => {
  if (event.relatedTarget === null) {
    document.body.classList.remove('dropping');
  }
});
// Before the editor, which would put the text of a file into the document.
document.addEventListener('drop', (event) => {
  document.body.classList.remove('dropping');
  const files = [...(event.dataTransfer?.files ?? [])];
  const text = event.dataTransfer?.getData('text/plain') ?? '';
  const isInText = event.target instanceof Element && event.target.closest('.cm-editor') !== null;
  if (files.length > 0 || (!isInText && text !== '')) {
    event.preventDefault();
    event.stopPropagation();
    void (files.length > 0 ? session.openFiles(files) : session.openText('', text));
  }
}, true);

window.addEventListener('beforeunload', (event) => {
  if (session.hasUnsaved()) {
    event.preventDefault();
  }
});

const openLink = async (): Promise<void> => {
  const linked = await documentOf(location.hash);
  if (linked !== undefined) {
    await session.openText(linked.name, linked.text);
  } else if (location.hash.startsWith('#t=')) {
    session.say('The link cannot be read: a part of it may be missing.');
  }
};
window.addEventListener('hashchange', () => void openLink());
void openLink();
