import { setImmediate as turn } from 'node:timers/promises';
import type { Fade as FadeTool } from '@clearframe/contract/pipeline';
import type { z } from 'zod';
import type { Samples } from '../../image/picture.js';
import { smoothstep } from '../../rasters/ramp.js';
import { resize } from '../../rasters/resize.js';
import {
  chromaOf,
  codesWithin,
  conesOf,
  hueDifference,
  hueOf,
  hueVector,
  type Lab,
  labOfCones,
  type Rgb,
} from '../color/color-lab.js';
import { mixed, tabulateColors } from '../color/color-lut.js';
import { type ColorSpace, colorSpaceOf } from '../color/color-space.js';
import { applyTable, type ColorInput, targetsOf } from '../color/enhance-color.js';
import { densityOf, evenOut, type Fade, measureFade } from './measure-fade.js';

/** Degrees of OKLab: skin beyond `near` is turned back by a share of the rest. Beyond `far` a color is not skin. */
const SKIN_HUE = { middle: 54, near: 14, far: 50, share: 0.6 } as const;
const SKIN_CHROMA = { none: 0.02, least: 0.04, most: 0.12, beyond: 0.16 } as const;
const SKIN_LIGHTNESS = { from: 0.2, to: 0.35 } as const;

/**
 * Difference from the surroundings that `v1` adds, in codes; it approaches `most`. They are seen on a picture of `side` pixels.
 */
const LOCAL_CONTRAST = { gain: 0.25, most: 12, side: 40 } as const;

type FadeOptions = z.infer<typeof FadeTool>;

/** Restores the colors of a faded print, and makes a sepia print neutral if asked to, in place; changes no other picture. */
export async function restoreFade(
  context: ColorInput,
  { model, neutral = false, strength = 1 }: FadeOptions,
  onProgress: (fraction: number) => void,
): Promise<void> {
  const { current, icc, signal } = context;
  const space = colorSpaceOf(icc);
  const fade = await measureFade(current, space);
  const isNeutral = neutral && fade.isMonochrome;
  const share = strength * (isNeutral ? 1 : fade.evidence);
  if (share === 0) return;
  const restored = isNeutral ? neutralCodes(space, fade) : restoredCodes(space, fade);
  const targets = targetsOf(context);
  for (const samples of targets) {
    await turn();
    signal.throwIfAborted();
    evenOut(samples, current, space, { ...fade, corners: 1 + (fade.corners - 1) * strength });
  }
  await applyTable(
    context,
    tabulateColors((codes) => mixed(codes, restored(codes), share), undefined, targets),
    onProgress,
  );
  if (model === 'v1') await addLocalContrast(context, fade.evidence * strength);
}

type Transform = (codes: Rgb) => Rgb;

/** @param paper density of white in the result */
const withoutFade =
  (space: ColorSpace, { white, left }: Pick<Fade, 'white' | 'left'>, paper: Rgb = [0, 0, 0]): Transform =>
  ([red, green, blue]) => {
    const restored = (channel: 0 | 1 | 2, code: number): number => {
      const dye = (densityOf(space, channel, code) - white[channel]) / left[channel];
      return space.toCode(channel, 10 ** -(paper[channel] + Math.max(0, dye)));
    };
    return [restored(0, red), restored(1, green), restored(2, blue)];
  };

function restoredCodes(space: ColorSpace, fade: Fade): Transform {
  if (fade.isSepia) {
    // Its tone is that of its silver, which keeps it, and of its paper.
    const [most, least] = [Math.max(...fade.left), Math.min(...fade.white)];
    const [red, green, blue] = fade.white;
    return withoutFade(space, { ...fade, left: [most, most, most] }, [red - least, green - least, blue - least]);
  }
  const transform = withoutFade(space, fade);
  return (codes) => {
    const wanted = transform(codes);
    const color = labOfCones(conesOf(space, wanted));
    const held = withSkinHeld(color);
    return held === color ? wanted : codesWithin(space, held, chromaOf(color));
  };
}

function neutralCodes(space: ColorSpace, fade: Fade): Transform {
  const transform = withoutFade(space, fade);
  return (codes) => {
    const { l } = labOfCones(conesOf(space, mixed(codes, transform(codes), fade.evidence)));
    return codesWithin(space, { l, a: 0, b: 0 }, 0);
  };
}

function withSkinHeld(color: Lab): Lab {
  const chroma = chromaOf(color);
  const off = hueDifference(SKIN_HUE.middle, hueOf(color));
  const excess = Math.abs(off) - SKIN_HUE.near;
  if (excess <= 0 || Math.abs(off) >= SKIN_HUE.far) return color;
  const likeness =
    (1 - smoothstep(SKIN_HUE.near, SKIN_HUE.far, Math.abs(off))) *
    smoothstep(SKIN_CHROMA.none, SKIN_CHROMA.least, chroma) *
    (1 - smoothstep(SKIN_CHROMA.most, SKIN_CHROMA.beyond, chroma)) *
    smoothstep(SKIN_LIGHTNESS.from, SKIN_LIGHTNESS.to, color.l);
  const [cos, sin] = hueVector(-Math.sign(off) * excess * SKIN_HUE.share * likeness);
  return { l: color.l, a: color.a * cos - color.b * sin, b: color.a * sin + color.b * cos };
}

async function addLocalContrast({ current, deep, signal }: ColorInput, share: number): Promise<void> {
  const { width, height } = current;
  const scale = LOCAL_CONTRAST.side / Math.max(width, height);
  const sideOf = (side: number) => Math.max(1, Math.round(side * scale));
  const small = await resize(current, sideOf(width), sideOf(height), 'linear');
  const { data: around } = await resize(small, width, height, 'cubic');
  await turn();
  signal.throwIfAborted();
  for (const samples of deep ? [current.data, deep] : [current.data]) {
    const unit = samples instanceof Uint16Array ? 257 : 1;
    const most = 255 * unit;
    for (let at = 0; at + 2 < samples.length; at += 3) {
      const luma = lumaAt(samples, at) / unit;
      const off = luma - lumaAt(around, at);
      const added = (LOCAL_CONTRAST.gain * off) / (1 + (LOCAL_CONTRAST.gain * Math.abs(off)) / LOCAL_CONTRAST.most);
      // Black and white stay.
      const change = unit * share * added * 4 * (luma / 255) * (1 - luma / 255);
      for (let channel = at; channel < at + 3; channel++)
        samples[channel] = Math.max(0, Math.min(most, Math.round((samples[channel] as number) + change)));
    }
  }
}

const lumaAt = (samples: Samples, at: number): number =>
  0.299 * (samples[at] as number) + 0.587 * (samples[at + 1] as number) + 0.114 * (samples[at + 2] as number);
