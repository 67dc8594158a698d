/** Writes the conversation of a transcript into a new document, in another form. */
import * as vscode from 'vscode';
import { activeTranscript, inform, messageOf } from './common';
import type { Conversation } from './protocol';
import type { Server } from './server';

const separator = (label: string): Form => ({ label, kind: vscode.QuickPickItemKind.Separator, to: '' });

interface Form extends vscode.QuickPickItem {
  to: string;
}

/** The forms of `chatls convert`. */
const FORMS: readonly Form[] = [
  separator('Markdown'),
  { label: 'Tool fences', description: 'calls in fenced blocks of the language tool', to: 'fence' },
  { label: '<tool> tags', to: 'tag' },
  { label: '###: markers', to: 'marker' },
  { label: '<tool_call> elements', description: 'of Hermes and Qwen', to: 'hermes' },
  separator('Messages'),
  { label: 'OpenAI', description: 'chat completions', to: 'openai' },
  { label: 'Anthropic', description: 'Messages API', to: 'anthropic' },
  { label: 'AI SDK', description: 'UI messages', to: 'ai-sdk' },
  { label: 'OpenAI responses', description: 'items', to: 'responses' },
  { label: 'ShareGPT', to: 'sharegpt' },
  { label: 'Fine-tuning', description: 'OpenAI messages, one conversation per line', to: 'finetune' },
];

export function registerConversation(context: vscode.ExtensionContext, server: Server): void {
  context.subscriptions.push(vscode.commands.registerCommand('chatls.convertToNew', async () => convert(server)));
}

async function convert(server: Server): Promise<void> {
  const uri = activeTranscript()?.uri;
  const options = { title: 'Convert Conversation to New Document', placeHolder: 'The form of the new document' };
  const form = uri && (await vscode.window.showQuickPick(FORMS, options));
  if (!form) {
    return;
  }
  try {
    const { languageId, text, losses } = await server.request<Conversation>('conversation', uri, { to: form.to });
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: languageId, content: text }));
    if (losses !== '') {
      inform(`The conversion ${losses}. The original document is unchanged.`);
    }
  } catch (error) {
    void vscode.window.showErrorMessage(`The conversation was not converted: ${messageOf(error)}`);
  }
}
