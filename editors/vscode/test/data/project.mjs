// An ordinary folder: projects with their documentation, data, and three transcripts among them.
const FENCE = '```';

export const ordinary = {
  'README.md': `# Widgets

A small library. Its parts are \`a <tool> element\` and a hammer:

<tool>
hammer
</tool>

## Install

${FENCE}sh
npm install widgets
${FENCE}

## Usage

${FENCE}js
import { tool } from 'widgets';
tool({ "toolName": "saw" });
${FENCE}

### User

Who uses it.

## Licence

MIT
`,
  'docs/guide.md': `---
title: Guide
---

# Guide

1. First (one).
2. Then <kbd>Enter</kbd>.

| tool | use |
|------|-----|
| saw  | wood |

## State

- [ ] open
- [x] done: *yes*
`,
  'docs/api.md': `# Chat API

## User

The role of a person.

## Assistant

The role of a model. Tools are called by name.

${FENCE}json
{ "role": "assistant", "tool_calls": [] }
${FENCE}
`,
  'CHANGELOG.md': `# Changelog

## 1.1.0 (2026-05-04)

- **Breaking:** \`tool(name)\` is now \`tool({ name })\`: see [the guide](docs/guide.md).
- \`<tool>\` elements are read, \`<tool>saw</tool>\` too.

## 1.0.0

- First release
`,
  'package.json': `${JSON.stringify({ name: 'widgets', version: '1.0.0', type: 'module', scripts: { test: 'node --test' } }, null, 2)}\n`,
  'src/index.js': "export function tool(options) {\n  return options.toolName;\n}\n",
  'py/main.py': 'def tool(name: str) -> str:\n    return f"<tool>{name}</tool>"\n',
  'data/records.jsonl': '{"id": 1, "type": "a", "text": "one"}\n{"id": 2, "type": "b", "text": "two"}\n',
  'node_modules/dependency/README.md': `# A dependency\n\n${FENCE}tool\n{ "toolName": "polish", }\n${FENCE}\n`,
};

export const transcripts = {
  'chats/weather.chat.md': `# Weather

**User:** What is the weather in Paris?

**Assistant:** I'll look.

${FENCE}tool
{
  "toolCallId": "call_1",
  "toolName": "get_weather",
  "state": "output-available",
  "input": {
    "city": "Paris"
  },
  "output": "sunny"
}
${FENCE}

${FENCE}tool
{
  "toolCallId": "call_2",
  "toolName": "get_weather",
  "state": "output-error",
  "input": {
    "city": "Atlantis"
  },
  "errorText": "unknown city"
}
${FENCE}

It is sunny in Paris.
`,
  'chats/files.md': `**User:** What is in a.py?

<tool>read_file(path=a.py)
x = 1</tool>

**Assistant:** It sets x.
`,
  'chats/run.jsonl': '{"type":"tool-call","toolCallId":"1","toolName":"search","input":{"q":"cats"}}\n{"type":"tool-result","toolCallId":"1","toolName":"search","output":["Tom"]}\n',
};
