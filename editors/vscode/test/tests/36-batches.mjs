// The expanded form of a batch, chosen by the mouse.
const text = 'Hi.\n\n```tool\n{ "toolName": "look", "output": "seen" }\n```\n\n```tool\n{ "toolName": "look", "output": "seen again" }\n```\n';

export const tests = {
  async 'an expanded batch stays when the mouse that chose it moves on'(vs) {
    await vs.create('expanded.chat.md', text);
    await vs.serverRuns();
    await vs.goTo(4, 3);
    // The row of the palette is clicked.
    await vs.command('chatls: Show Expanded Batch');
    const lines = vs.page.locator('.peekview-widget .view-line');
    await lines.filter({ hasText: '2 tool calls' }).waitFor();
    for (const [x, y] of [[600, 300], [700, 600], [300, 20]]) {
      await vs.page.mouse.move(x, y, { steps: 5 });
    }
    await lines.filter({ hasText: /look\(\)\s→\sseen\sagain/ }).waitFor();
    await vs.page.keyboard.press('Escape');
    await lines.first().waitFor({ state: 'hidden' });
    await vs.cursorAt(3);
  },
};
