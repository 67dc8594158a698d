// The page that is tested: the chat, set up as its address says.
import { lastAssistantMessageIsCompleteWithToolCalls } from 'ai';
import { createRoot } from 'react-dom/client';
import { Chat } from './chat';

const asked = new URLSearchParams(location.search);
createRoot(document.getElementById('root')!).render(
  <Chat
    api={asked.get('api') ?? '/api/chat'}
    resume={asked.has('resume')}
    sendAutomaticallyWhen={asked.has('automatic') ? lastAssistantMessageIsCompleteWithToolCalls : undefined}
  />,
);
