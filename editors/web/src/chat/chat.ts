/** The chat: the preview of VS Code, in a frame that can reach nothing of the page. */
import type { Position, Range } from 'vscode-languageserver-protocol';
import { changeOf } from '../../../vscode/src/preview/changes';
import type { FromPage, ToPage } from '../../../vscode/src/preview/messages';
import type { Message } from '../../../vscode/src/protocol';
import { element } from '../../../vscode/media/preview/dom';

/** The script and the style of the frame, put in by the build. */
declare const FRAME_SCRIPT: string;
declare const FRAME_STYLE: string;

/** Messages that are drawn at once: the page stays responsive between them. */
const AT_ONCE = 400;

export class Chat {
  readonly element = element('iframe', 'chat');
  private uri = '';
  private sent: Message[] = [];
  private isReady = false;
  /** The newest messages, while others are being drawn. */
  private wanted: { uri: string; messages: Message[] } | undefined;
  private isDrawing = false;

  constructor(private readonly reveal: (range: Range) => void) {
    this.element.title = 'Chat';
    // Without an origin of its own, text of others that should ever run could not touch the page.
    this.element.setAttribute('sandbox', 'allow-scripts');
    this.element.srcdoc = `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Chat</title><style>${FRAME_STYLE}</style><body><script>${FRAME_SCRIPT}</script></body></html>`;
    window.addEventListener('message', (event: MessageEvent<FromPage>) => {
      if (event.source === this.element.contentWindow) {
        this.receive(event.data);
      }
    });
  }

  /** Draws the messages of a document. Resolves when all of them were given to the frame. */
  async update(uri: string, messages: Message[]): Promise<void> {
    this.wanted = { uri, messages };
    if (this.isDrawing || !this.isReady) {
      return;
    }
    this.isDrawing = true;
    try {
      while (this.take()) {
        await new Promise((resolve) => { setTimeout(resolve); });
      }
    } finally {
      this.isDrawing = false;
    }
  }

  /** Marks the message at a position, and shows it. */
  follow(position: Position): void {
    this.post({ type: 'cursor', position });
    this.post({ type: 'scroll', position });
  }

  /** Draws the next messages; false if there are no more. */
  private take(): boolean {
    if (this.wanted === undefined) {
      return false;
    }
    const { uri, messages } = this.wanted;
    if (uri !== this.uri) {
      this.uri = uri;
      this.sent = [];
    }
    const isLong = messages.length > this.sent.length + AT_ONCE;
    const part = isLong ? messages.slice(0, this.sent.length + AT_ONCE) : messages;
    if (!isLong) {
      this.wanted = undefined;
    }
    this.post({ type: 'transcript', change: changeOf(this.sent, part), uri, locked: false, base: '' });
    this.sent = part;
    return isLong;
  }

  private receive(message: FromPage): void {
    switch (message.type) {
      case 'ready':
        this.isReady = true;
        if (this.wanted !== undefined) {
          void this.update(this.wanted.uri, this.wanted.messages);
        }
        break;
      case 'reveal':
        this.reveal(message.range);
        break;
      case 'open':
        // Only what the user clicks is ever loaded, in a window of its own.
        if (/^(?:https?|mailto):/i.test(message.href)) {
          window.open(message.href, '_blank', 'noopener,noreferrer');
        }
        break;
      case 'scrolled':
      case 'command':
        break;
    }
  }

  private post(message: ToPage): void {
    this.element.contentWindow?.postMessage(message, '*');
  }
}
