import { smoothstep } from '../../rasters/ramp.js';
import { chromaOf, hueDifference, hueOf, hueVector, type Lab } from './color-lab.js';
import type { HueBand, Look, Tint } from './looks.js';

/** Degrees of OKLab. All skin tones have about this hue; beyond `far` a color is not skin. */
const SKIN_HUE = { middle: 54, near: 17, far: 36 } as const;
/** Grays and oranges are not skin. */
const SKIN_CHROMA = { none: 0.015, least: 0.035, most: 0.11, beyond: 0.15 } as const;
/** Extreme shadows and lights of skin are graded like everything else. */
const SKIN_LIGHTNESS = { none: 0.12, least: 0.25, most: 0.93, beyond: 0.99 } as const;
/** On skin, including vibrance. */
const SKIN_SATURATION = { least: 0.82, most: 1.06 } as const;
/** Share of lightness changes that skin does not follow, to keep the complexion. */
const SKIN_LIGHT_GUARD = 0.35;
/** Vibrance adds nothing from here on. */
const MAX_VIBRANCE_CHROMA = 0.2;
/** Share in which chroma follows lightness. */
const CHROMA_FOLLOWS = 0.75;

/** Likelihood of skin, 0..1. Sand and wood look the same, which is harmless. */
export function skinLikeness(color: Lab): number {
  const chroma = chromaOf(color);
  if (chroma <= SKIN_CHROMA.none || chroma >= SKIN_CHROMA.beyond) return 0;
  const off = Math.abs(hueDifference(SKIN_HUE.middle, hueOf(color)));
  return (
    (1 - smoothstep(SKIN_HUE.near, SKIN_HUE.far, off)) *
    smoothstep(SKIN_CHROMA.none, SKIN_CHROMA.least, chroma) *
    (1 - smoothstep(SKIN_CHROMA.most, SKIN_CHROMA.beyond, chroma)) *
    smoothstep(SKIN_LIGHTNESS.none, SKIN_LIGHTNESS.least, color.l) *
    (1 - smoothstep(SKIN_LIGHTNESS.most, SKIN_LIGHTNESS.beyond, color.l))
  );
}

export function relight(color: Lab, lightness: number): Lab {
  const ratio = color.l > 1e-4 ? lightness / color.l : 1;
  const chroma = Math.max(0, 1 + (Math.min(2, ratio) - 1) * CHROMA_FOLLOWS);
  return { l: lightness, a: color.a * chroma, b: color.b * chroma };
}

/** `tint` 0 adds no color to grays, for black and white photographs. */
export function grade(color: Lab, look: Look, tones: (lightness: number) => number, tint: number): Lab {
  const skin = skinLikeness(color);
  const guard = look.skinGuard * skin;
  const chroma = chromaOf(color);
  const wanted = look.saturation * (1 + look.vibrance * Math.max(0, 1 - chroma / MAX_VIBRANCE_CHROMA));
  const bounded = Math.max(SKIN_SATURATION.least, Math.min(SKIN_SATURATION.most, wanted));
  const saturation = wanted + (bounded - wanted) * skin;
  const lightness = color.l + (tones(color.l) - color.l) * (1 - SKIN_LIGHT_GUARD * skin);
  let out = relight(color, lightness);
  out = { l: out.l, a: out.a * saturation, b: out.b * saturation };
  for (const band of look.bands) out = turn(out, color, band, 1 - guard);
  // Black and white stay untinted to keep the range.
  const open = smoothstep(0, 0.18, out.l) * (1 - smoothstep(0.9, 1, out.l));
  const amount = tint * open * (1 - guard);
  out = add(out, look.shadows, amount * (1 - smoothstep(0.15, 0.6, color.l)));
  out = add(out, look.highlights, amount * smoothstep(0.55, 0.95, color.l));
  return add(out, look.middle, amount * smoothstep(0.1, 0.5, color.l) * (1 - smoothstep(0.65, 1, color.l)));
}

function turn(color: Lab, original: Lab, band: HueBand, share: number): Lab {
  const chroma = chromaOf(original);
  const off = Math.abs(hueDifference(band.hue, hueOf(original)));
  // Near gray, hue is noise.
  const weight = share * (1 - smoothstep(0, band.reach, off)) * smoothstep(0, 0.04, chroma);
  if (weight === 0) return color;
  const vector = hueVector(band.turn * weight);
  const cos = vector[0];
  const sin = vector[1];
  const scale = 1 + (band.chroma - 1) * weight;
  return {
    l: color.l,
    a: (color.a * cos - color.b * sin) * scale,
    b: (color.a * sin + color.b * cos) * scale,
  };
}

function add(color: Lab, { hue, amount }: Tint, share: number): Lab {
  const vector = hueVector(hue);
  return { l: color.l, a: color.a + vector[0] * amount * share, b: color.b + vector[1] * amount * share };
}
