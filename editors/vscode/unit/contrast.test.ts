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

type CodeTheme = [name: string, text: string, code: string, inserted: string, removed: string, quiet: string];

/** The same themes: the text of the editor, behind code, behind lines of a diff, and the colour of comments. */
const CODE: readonly CodeTheme[] = [
  ['Dark Modern', '#CCCCCC', '#2B2B2B', '#9CCC2C33', '#FF000033', '#9D9D9D'],
  ['Dark 2026', '#BBBEBF', '#242526', '#57AB5A4D', '#F470674D', '#8C8C8C'],
  ['Dark+', '#D4D4D4', '#0A0A0A66', '#9CCC2C33', '#FF000033', '#CCCCCCB3'],
  ['Light Modern', '#3B3B3B', '#F8F8F8', '#9CCC2C40', '#FF000033', '#3B3B3B'],
  ['Light 2026', '#202020', '#EAEAEA', '#587C0C26', '#AD070726', '#606060'],
  ['Light+', '#000000', '#DCDCDC66', '#9CCC2C40', '#FF000033', '#717171'],
  ['Dark High Contrast', '#FFFFFF', '#00000000', '#00000000', '#00000000', '#FFFFFFB3'],
  ['Light High Contrast', '#292929', '#F2F2F2', '#00000000', '#00000000', '#292929'],
  ['Abyss', '#6688CC', '#0A0A0A66', '#31958A55', '#892F4688', '#CCCCCCB3'],
  ['Kimbie Dark', '#D3AF86', '#0A0A0A66', '#9CCC2C33', '#FF000033', '#CCCCCCB3'],
  ['Monokai', '#F8F8F2', '#0A0A0A66', '#4B661680', '#90274A70', '#CCCCCCB3'],
  ['Quiet Light', '#333333', '#DCDCDC66', '#9CCC2C40', '#FF000033', '#717171'],
  ['Red', '#F8F8F8', '#0A0A0A66', '#9CCC2C33', '#FF000033', '#CCCCCCB3'],
  ['Solarized Dark', '#839496', '#0A0A0A66', '#9CCC2C33', '#FF000033', '#CCCCCCB3'],
  ['Solarized Light', '#657B83', '#DCDCDC66', '#9CCC2C40', '#FF000033', '#717171'],
  ['Tomorrow Night Blue', '#FFFFFF', '#0A0A0A66', '#9CCC2C33', '#FF000033', '#CCCCCCB3'],
];

/** `debugTokenExpression.*`, which none of them sets: by default the same for dark and light ones. */
const TOKENS = { dark: ['#C586C0', '#CE9178', '#4E94CE', '#B5CEA8'], light: ['#9B46B0', '#A31515', '#0000FF', '#098658'] };

test('code and the lines of diffs can be read in each built-in theme', () => {
  const css = readFileSync('media/preview/code.css', 'utf8');
  const shares = [...css.matchAll(/--(?:code-\w+|changed): color-mix\(in srgb, .* (\d+)%, var\(--strong\)\)/g)].map(([, share]) => Number(share) / 100);
  assert.equal(shares.length, 6);
  for (const [index, [name, isDark, background, panel]] of THEMES.entries()) {
    const theme = CODE[index];
    assert.ok(theme?.[0] === name);
    const [, text, code, inserted, removed, quiet] = theme;
    // A message of the user is on a tinted ground.
    const grounds = [parts(background), over('#3794FF1C', parts(background)), parts(panel)];
    const behindCode = grounds.map((ground) => over(code, ground));
    const behindDiff = [parts(panel), over(inserted, parts(panel)), over(removed, parts(panel))];
    const colours = [...TOKENS[isDark ? 'dark' : 'light'], quiet, text];
    for (const [at, colour] of colours.entries()) {
      for (const behind of colour === text ? behindDiff : behindCode) {
        const found = contrast(mixed(over(colour, behind), parts(isDark ? '#FFFFFF' : '#000000'), shares[at] ?? 0), behind);
        assert.ok(found >= 4.5, `${name}: ${colour} has ${found.toFixed(2)}`);
      }
    }
  }
});

function parts(colour: string): number[] {
  return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255);
}

/** A colour that may be transparent, on another one. */
function over(colour: string, behind: readonly number[]): number[] {
  return mixed(parts(colour), behind, colour.length > 7 ? parseInt(colour.slice(7), 16) / 255 : 1);
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
