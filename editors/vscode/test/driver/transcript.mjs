// Large transcripts, the same on every machine.

/** A transcript of about `size` bytes: messages with a batch of three short calls each, 500 bytes in all. */
export function transcript(size) {
  const parts = [];
  let length = 0;
  for (let turn = 1; length < size; turn++) {
    const part = message(turn);
    parts.push(part);
    length += part.length;
  }
  return parts.join('');
}

/** `User:` and `Assistant:` divide messages; each batch stands alone between paragraphs. */
function message(turn) {
  const call = (number, tool, input) =>
    `\`\`\`tool\n{"toolCallId": "c${turn}_${number}", "toolName": "${tool}",\n "state": "output-available",\n "input": {${input}}, "output": "part ${turn}"}\n\`\`\`\n`;
  return `${turn % 2 === 1 ? 'User' : 'Assistant'}: Let me see part ${turn}.\n\nLet me look at the *file* now.\n\n`
    + call(1, 'read_file', `"path": "src/${turn}.rs"`) + call(2, 'list', '"all": true') + call(3, 'search', `"query": "p${turn}"`)
    + '\nIt prints a number.\n\n';
}
