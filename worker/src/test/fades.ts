import type { Raster } from '../rasters/raster.js';

/** How a print ages, by channel. Densities are optical: 1 lets a tenth of the light through. */
interface Fade {
  /** Share of the density that the dyes have lost; at the edges `edgeLoss` more. */
  readonly loss: readonly [number, number, number];
  readonly edgeLoss?: number;
  /** Density of the stain of the paper; at the edges `edgeStain` times as much more. */
  readonly stain: readonly [number, number, number];
  readonly edgeStain?: number;
  /** Share of white light over everything, as of a clouded surface. */
  readonly veil?: number;
}

/** Densest black of a glossy print. */
const MAX_DENSITY = 2.1;

/** Losses and stains as Wilhelm's accelerated tests show them: cyan fades in the dark, magenta and yellow in light. */
export const FADES = {
  yellowed: { loss: [0.15, 0.18, 0.25], stain: [0.02, 0.07, 0.28] },
  magentaShifted: { loss: [0.5, 0.12, 0.38], stain: [0, 0.03, 0.08] },
  cyanLoss: { loss: [0.55, 0.12, 0.15], stain: [0, 0.02, 0.06] },
  lowContrast: { loss: [0.3, 0.3, 0.3], stain: [0.03, 0.04, 0.07], veil: 0.05 },
  lightStruck: { loss: [0.25, 0.45, 0.5], stain: [0.03, 0.05, 0.12] },
  uneven: { loss: [0.25, 0.22, 0.28], edgeLoss: 0.3, stain: [0.01, 0.04, 0.12], edgeStain: 1 },
} as const satisfies Record<string, Fade>;
export type FadeKind = keyof typeof FADES;

/** A print of the picture (sRGB) that has aged. */
export function faded({ width, height, data }: Raster, kind: FadeKind): Raster {
  const { loss, stain, edgeLoss = 0, edgeStain = 0, veil = 0 }: Fade = FADES[kind];
  const aged = new Uint8Array(data.length);
  for (let at = 0; at < data.length; at++) {
    const [x, y] = [Math.floor(at / 3) % width, Math.floor(at / 3 / width)];
    const edge = ((2 * x) / width - 1) ** 2 / 2 + ((2 * y) / height - 1) ** 2 / 2;
    const density = Math.min(MAX_DENSITY, -Math.log10(Math.max(1e-6, lightOf(data[at] as number))));
    const channel = at % 3;
    const left = 1 - (loss[channel] as number) - edgeLoss * edge;
    const light = 10 ** -(density * left + (stain[channel] as number) * (1 + edgeStain * edge));
    aged[at] = codeOf(light + (1 - light) * veil);
  }
  return { width, height, data: aged };
}

const lightOf = (code: number): number =>
  code <= 10.31475 ? code / 255 / 12.92 : ((code / 255 + 0.055) / 1.055) ** 2.4;
const codeOf = (light: number): number =>
  Math.round(255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055));
