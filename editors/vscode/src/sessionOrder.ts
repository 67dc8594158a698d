/** The sessions of a list by their agents. */
import type { Session } from './protocol';

export interface AgentSessions {
  agent: string;
  sessions: Session[];
}

/** The agent with the newest session first; sessions stay in their order, the newest first. */
export function orderedByAgent(sessions: readonly Session[]): AgentSessions[] {
  const agents = new Map<string, Session[]>();
  for (const session of sessions) {
    agents.set(session.agent, [...(agents.get(session.agent) ?? []), session]);
  }
  return [...agents].map(([agent, own]) => ({ agent, sessions: own }));
}
