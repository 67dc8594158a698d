import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

type Theme = [name: string, isDark: boolean, background: string, panel: string, error: string, warning: string];

/** The built-in themes: behind the text, behind a batch, and the colours of errors and warnings. */
const THEMES: readonly Theme[] = [
  ['Dark Modern', true, '#1F1F1F', '#202020', '#F85149', '#CCA700'],
  ['Dark 2026', true, '#121314', '#202122', '#F48771', '#CCA700'],
  ['Dark+', true, '#1E1E1E', '#252526', '#F48771', '#CCA700'],
  ['Light Modern', false, '#FFFFFF', '#F8F8F8', '#F85149', '#BF8803'],
  ['Light 2026', false, '#FFFFFF', '#FAFAFD', '#AD0707', '#BF8803'],
  ['Light+', false, '#FFFFFF', '#F3F3F3', '#A1260D', '#BF8803'],
  ['Dark High Contrast', true, '#000000', '#0C141F', '#F48771', '#FFD370'],
  ['Light High Contrast', false, '#FFFFFF', '#FFFFFF', '#B5200D', '#895503'],
  ['Abyss', true, '#000C18', '#262641', '#F48771', '#CCA700'],
  ['Kimbie Dark', true, '#221A0F', '#131510', '#F48771', '#CCA700'],
  ['Monokai', true, '#272822', '#1E1F1C', '#F48771', '#CCA700'],
  ['Quiet Light', false, '#F5F5F5', '#F3F3F3', '#F1897F', '#BF8803'],
  ['Red', true, '#390000', '#300000', '#FFEAEA', '#CCA700'],
  ['Solarized Dark', true, '#002B36', '#00212B', '#FFEAEA', '#CCA700'],
  ['Solarized Light', false, '#FDF6E3', '#EEE8D5', '#A1260D', '#BF8803'],
  ['Tomorrow Night Blue', true, '#002451', '#001C40', '#A92049', '#CCA700'],
];

test('failed and pending calls can be read in each built-in theme', () => {
  const css = readFileSync('media/preview/layout.css', 'utf8');
  const [failed = 0, pending = 0] = [...css.matchAll(/--(?:failed|pending): color-mix\(in srgb, .* (\d+)%, var\(--strong\)\)/g)].map(([, share]) => Number(share) / 100);
  for (const [name, isDark, background, panel, error, warning] of THEMES) {
    for (const behind of [background, panel]) {
      for (const [colour, share] of [[error, failed], [warning, pending]] as const) {
        const found = contrast(mixed(parts(colour), parts(isDark ? '#FFFFFF' : '#000000'), share), parts(behind));
        assert.ok(share > 0 && found >= 4.5, `${name}: ${colour} on ${behind} has ${found.toFixed(2)}`);
      }
    }
  }
});

function parts(colour: string): number[] {
  return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255);
}

function mixed(one: readonly number[], other: readonly number[], share: number): number[] {
  return one.map((part, index) => part * share + (other[index] ?? 0) * (1 - share));
}

/** WCAG 2.2, contrast ratio. */
function contrast(one: readonly number[], other: readonly number[]): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
