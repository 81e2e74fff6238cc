/** Blends one channel: backdrop and source, 0..1. */
type BlendChannel = (backdrop: number, source: number) => number;
export type BlendColor = (backdrop: Float32Array, source: Float32Array, into: Float32Array) => void;

const multiply: BlendChannel = (b, s) => b * s;
const screen: BlendChannel = (b, s) => b + s - b * s;
const hardLight: BlendChannel = (b, s) => (s <= 0.5 ? multiply(b, 2 * s) : screen(b, 2 * s - 1));
const colorBurn: BlendChannel = (b, s) => (b >= 1 ? 1 : s <= 0 ? 0 : Math.max(0, 1 - (1 - b) / s));
const colorDodge: BlendChannel = (b, s) => (b <= 0 ? 0 : s >= 1 ? 1 : Math.min(1, b / (1 - s)));
const softLight: BlendChannel = (b, s) =>
  s <= 0.5 ? 2 * b * s + b * b * (1 - 2 * s) : 2 * b * (1 - s) + Math.sqrt(b) * (2 * s - 1);
const linearLight: BlendChannel = (b, s) => Math.min(1, Math.max(0, b + 2 * s - 1));

/** The keys are Photoshop's ('Blend mode key' in the file format's specification). */
const CHANNELS: Readonly<Record<string, BlendChannel>> = {
  norm: (_, s) => s,
  dark: Math.min,
  'mul ': multiply,
  idiv: colorBurn,
  lbrn: (b, s) => Math.max(0, b + s - 1),
  lite: Math.max,
  scrn: screen,
  'div ': colorDodge,
  lddg: (b, s) => Math.min(1, b + s),
  over: (b, s) => hardLight(s, b),
  sLit: softLight,
  hLit: hardLight,
  lLit: linearLight,
  pLit: (b, s) => (s <= 0.5 ? Math.min(b, 2 * s) : Math.max(b, 2 * s - 1)),
  diff: (b, s) => Math.abs(b - s),
  smud: (b, s) => b + s - 2 * b * s,
  fsub: (b, s) => Math.max(0, b - s),
};

const luminosity = (color: Float32Array): number =>
  0.3 * (color[0] ?? 0) + 0.59 * (color[1] ?? 0) + 0.11 * (color[2] ?? 0);
const saturation = (color: Float32Array): number => Math.max(...color) - Math.min(...color);

/** The hue of `color` with another saturation and luminosity (PDF 32000-1, 11.3.5.3). */
function recolor(color: Float32Array, saturated: number | null, light: number, into: Float32Array): void {
  const [least, most] = [Math.min(...color), Math.max(...color)];
  for (let channel = 0; channel < 3; channel++) {
    const value = color[channel] ?? 0;
    into[channel] = saturated === null ? value : most > least ? ((value - least) * saturated) / (most - least) : 0;
  }
  const shift = light - luminosity(into);
  for (let channel = 0; channel < 3; channel++) into[channel] = (into[channel] ?? 0) + shift;
  const [low, high] = [Math.min(...into), Math.max(...into)];
  for (let channel = 0; channel < 3; channel++) {
    let value = into[channel] ?? 0;
    if (low < 0) value = light + ((value - light) * light) / (light - low);
    if (high > 1) value = light + ((value - light) * (1 - light)) / (high - light);
    into[channel] = value;
  }
}

/** Modes for three channels only. */
const COLORS: Readonly<Record<string, BlendColor>> = {
  'hue ': (b, s, into) => recolor(s, saturation(b), luminosity(b), into),
  'sat ': (b, s, into) => recolor(b, saturation(s), luminosity(b), into),
  colr: (b, s, into) => recolor(s, null, luminosity(b), into),
  'lum ': (b, s, into) => recolor(b, null, luminosity(s), into),
  dkCl: (b, s, into) => into.set(luminosity(s) < luminosity(b) ? s : b),
  lgCl: (b, s, into) => into.set(luminosity(s) > luminosity(b) ? s : b),
};

/** Modes in which Photoshop treats the opacity of the fill otherwise than that of the layer. */
const FILL_MODES = new Set(['idiv', 'lbrn', 'div ', 'lddg', 'vLit', 'lLit', 'hMix', 'diff']);
export const hasOwnFill = (mode: string): boolean => FILL_MODES.has(mode);

/** Null for unknown modes, for dissolving, which is random, and for modes whose formula here differs from Photoshop's results. */
export function blendOf(mode: string, channels: number): BlendColor | null {
  const blend = CHANNELS[mode];
  if (!blend) return (channels === 3 && COLORS[mode]) || null;
  return (backdrop, source, into) => {
    for (let channel = 0; channel < channels; channel++) {
      into[channel] = blend(backdrop[channel] ?? 0, source[channel] ?? 0);
    }
  };
}
