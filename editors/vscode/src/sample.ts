/** The transcript of “Open a Sample Transcript”. */
const FENCE = '```';

export const SAMPLE = `# A first transcript

**User:** Which of our packages are out of date?

**Assistant:** Let me look.

${FENCE}tool
{
  "toolCallId": "call_1",
  "toolName": "read_file",
  "state": "output-available",
  "input": { "path": "package.json" },
  "output": "{\\n  \\"dependencies\\": { \\"react\\": \\"18.2.0\\" }\\n}\\n"
}
${FENCE}

${FENCE}tool
{
  "toolCallId": "call_2",
  "toolName": "read_file",
  "state": "output-error",
  "input": { "path": "package-lock.json" },
  "errorText": "package-lock.json does not exist"
}
${FENCE}

A comma is missing below. Put the cursor on the squiggle and press Ctrl+. (on a Mac, Cmd+.):

${FENCE}tool
{
  "toolCallId": "call_3",
  "toolName": "search"
  "input": { "query": "newest react" },
  "output": "19.2.0"
}
${FENCE}

And this call still waits for its result. Use the lens above it to complete it:

${FENCE}tool
{
  "toolCallId": "call_4",
  "toolName": "add_package",
  "state": "input-available",
  "input": { "name": "react", "version": "19.2.0" }
}
${FENCE}
`;
