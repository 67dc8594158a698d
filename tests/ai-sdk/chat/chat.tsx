import { useChat } from '@ai-sdk/react';
import { DefaultChatTransport, getToolName, isToolUIPart } from 'ai';
import type { DynamicToolUIPart, ToolUIPart, UIMessage } from 'ai';
import { useState } from 'react';

type ToolPart = ToolUIPart | DynamicToolUIPart;

interface Options {
  /** Where `chatls events --serve` answers, or what a proxy leads there. */
  api: string;
  resume?: boolean;
  sendAutomaticallyWhen?: (options: { messages: UIMessage[] }) => boolean;
}

export function Chat({ api, ...options }: Options) {
  const [transport] = useState(() => new DefaultChatTransport({ api }));
  const { messages, sendMessage, status, error, stop, regenerate, addToolOutput } = useChat({
    transport,
    ...options,
  });
  const [text, setText] = useState('');
  const answer = (part: ToolPart) =>
    addToolOutput({ tool: getToolName(part), toolCallId: part.toolCallId, output: 'done by the page' });
  return (
    <main>
      {messages.map((message) => (
        <article key={message.id} className={message.role}>
          {message.parts.map((part, index) => {
            if (part.type === 'text') return <p key={index}>{part.text}</p>;
            if (isToolUIPart(part)) return <Tool key={index} part={part} onAnswer={answer} />;
          })}
        </article>
      ))}
      {error && <p role="alert">{error.message}</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          sendMessage({ text });
          setText('');
        }}
      >
        <input aria-label="Message" value={text} onChange={(event) => setText(event.target.value)} />
        <button>Send</button>
        <button type="button" onClick={() => stop()}>Stop</button>
        <button type="button" onClick={() => regenerate()}>Again</button>
        <output>{status}</output>
      </form>
    </main>
  );
}

function Tool({ part, onAnswer }: { part: ToolPart; onAnswer: (part: ToolPart) => void }) {
  const json = (value: unknown) => JSON.stringify(value, null, 2);
  return (
    <section className={part.state}>
      <b>{getToolName(part)}</b> <code>{part.toolCallId}</code> <i>{part.state}</i>
      <pre title="input">{json(part.input)}</pre>
      {part.state === 'output-available' && <pre title="output">{json(part.output)}</pre>}
      {part.state === 'output-error' && <pre title="error">{part.errorText}</pre>}
      {part.state === 'input-available' && <button onClick={() => onAnswer(part)}>Answer</button>}
    </section>
  );
}
