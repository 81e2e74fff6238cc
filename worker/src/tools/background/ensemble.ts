import { setImmediate as turn } from 'node:timers/promises';
import { enlarge } from '../../networks/super-resolution.js';
import { ramp } from '../../rasters/ramp.js';
import type { Raster } from '../../rasters/raster.js';
import { resize } from '../../rasters/resize.js';
import type { PipelineContext } from '../restoration/context.js';
import { denoise, softFraction } from '../restoration/denoise.js';
import { measureContrast } from '../restoration/gain-limiter.js';
import type { Layer } from '../restoration/layers.js';
import { RESTORATION_SECONDS, restoredPixels, type WorkingCopy } from '../restoration/restored-region.js';

export interface EnsembleOptions {
  /** See `denoise`. */
  intensity: number;
  /** Greatest local contrast of the networks' outputs, relative to the original. */
  maxGain: number;
  /** Share of the network for photos, 0..1; the rest is the denoised picture's. */
  photo: number;
  /** Share of the network for faces, which restores other things too. */
  face: number;
  /** The network for texture, in the place of that for photos. */
  texture: {
    /** Its share of slightly soft pictures, and of very soft ones. */
    slightlySoft: number;
    verySoft: number;
    /** Most real pixels of a picture that it restores: a thousand take .08 s. */
    pixels: number;
  };
}

/** Sharper pictures keep more of their own detail without the network for faces. */
const SLIGHTLY_SOFT = 2.4;
const VERY_SOFT = 3.4;
/** Real pixels of a picture that the network for faces restores. More would take too long. */
const RESTORED_PIXELS = { least: 1000, most: 64_000 } as const;
/** A smaller share would be invisible. */
const MIN_FACE_SHARE = 0.08;
/** Softness from which so little is left that the network for texture invents: faces are less like. */
const LOST = { from: 5, to: 6.5 } as const;
/** A smaller share is not worth the time. */
const MIN_TEXTURE_SHARE = 0.15;
/** A smaller reduction takes too long, and sharp regions need no network. */
const MIN_REDUCTION = 2;
/**
 * Contrast of texture, relative to what is left, and the radius over which it is measured, in those of other views: fine detail of
 * very soft pictures had more contrast than is left of them; a wider radius changes less by it. In slightly soft ones that would be
 * exaggeration.
 */
const TEXTURE_LIMITS = { slightlySoft: { maxGain: 1.25, radius: 1 }, verySoft: { maxGain: 2, radius: 2 } } as const;
/** Contrast that is always allowed, in levels: otherwise rounding would freeze flat areas. */
const ALLOWANCE = 0.5;
/** Seconds per megapixel of input on two quiet cores; used for progress only. */
const SECONDS = { photo: 1.7, texture: 75 } as const;
/**
 * The network for texture expects what a camera would have seen at that size. The measured softness falls short of this: a further
 * reduction gave the same likeness in half the time.
 */
const TEXTURE_REDUCTION = 1.4;
/**
 * The share of the network for photos grows with noise, in levels: at full share a blurred, clean portrait lost 0.01 of
 * similarity.
 */
const CLEAN = { part: 0.4, noise: 0.3, noisy: 1 } as const;

export interface ByNetwork {
  readonly photo: number;
  readonly face: number;
}

type PhotoNetwork = 'photo' | 'texture';

/** Reduction of a picture for a network for photos, so that each pixel carries detail. */
const reductionFor = (network: PhotoNetwork, softness: number): number =>
  network === 'texture' ? softness * TEXTURE_REDUCTION : Math.max(MIN_REDUCTION, softness);

export interface EnsemblePlan {
  /** Which of the networks for photos runs. */
  readonly network: PhotoNetwork;
  readonly shares: ByNetwork;
  readonly seconds: ByNetwork;
}

/** Shares of the networks, 0 for one that is skipped, and estimated seconds inside them. */
export function planEnsemble(
  picture: Pick<Raster, 'width' | 'height'>,
  softness: number,
  options: EnsembleOptions,
): EnsemblePlan {
  const pixels = picture.width * picture.height;
  const isVerySoft = ramp(softness, SLIGHTLY_SOFT, VERY_SOFT);
  const { slightlySoft, verySoft, pixels: mostPixels } = options.texture;
  const ofTexture =
    (slightlySoft + (verySoft - slightlySoft) * isVerySoft) *
    softFraction(softness) *
    (1 - ramp(softness, LOST.from, LOST.to));
  const hasTexture = ofTexture >= MIN_TEXTURE_SHARE && pixels / reductionFor('texture', softness) ** 2 <= mostPixels;
  const real = pixels / Math.max(1, softness) ** 2;
  const wanted = Math.min(options.face, hasTexture ? 1 - ofTexture : 1) * isVerySoft;
  const isRestored = real >= RESTORED_PIXELS.least && real <= RESTORED_PIXELS.most;
  const face = isRestored && wanted >= MIN_FACE_SHARE ? wanted : 0;
  const ofPhoto = (face > 0 ? options.photo : Math.min(0.5, options.photo * 1.5)) * softFraction(softness);
  const network = hasTexture ? 'texture' : 'photo';
  const photo = hasTexture ? ofTexture : ofPhoto;
  const photoPixels = photo > 0 ? pixels / reductionFor(network, softness) ** 2 : 0;
  const facePixels = face > 0 ? restoredPixels(picture, softness) : 0;
  return {
    network,
    shares: { photo, face },
    seconds: { photo: (photoPixels * SECONDS[network]) / 1e6, face: (facePixels * RESTORATION_SECONDS) / 1e6 },
  };
}

/**
 * Layers of a result that averages three views of the picture: denoised without a network, and both networks'. Their
 * errors average out.
 * @param running the networks' views; absent where they are skipped
 */
export async function ensembleLayers(
  { signal }: PipelineContext,
  { region, assessed }: WorkingCopy,
  { intensity, maxGain }: EnsembleOptions,
  { network, shares }: EnsemblePlan,
  running: { readonly photo: Promise<Raster> | undefined; readonly face: Promise<Raster> | undefined },
): Promise<Layer[]> {
  const { softness, noise } = assessed.defects;
  const denoised = await denoise(region, assessed, intensity);
  // Synchronous code may have held the thread for seconds: handle a cancellation.
  await turn();
  signal.throwIfAborted();
  if (shares.photo + shares.face === 0) return [{ raster: denoised, share: 1, limit: null }];
  const isTexture = network === 'texture';
  const own = isTexture ? textureLimit(softness) : { maxGain, radius: 1 };
  const radius = Math.max(6, softness * 1.5) * own.radius;
  const limit = { maxGain: own.maxGain, allowance: ALLOWANCE, radius, reference: measureContrast(denoised, radius) };
  const clean = CLEAN.part + (1 - CLEAN.part) * ramp(noise, CLEAN.noise, CLEAN.noisy);
  const layers: Layer[] = [];
  const photo = await running.photo;
  if (photo) layers.push({ raster: photo, share: shares.photo * clean, limit });
  const face = await running.face;
  if (face) layers.push({ raster: face, share: shares.face, limit });
  const rest = layers.reduce((left, { share }) => left - share, 1);
  return [{ raster: denoised, share: rest, limit: null }, ...layers];
}

function textureLimit(softness: number): { maxGain: number; radius: number } {
  const { slightlySoft, verySoft } = TEXTURE_LIMITS;
  const part = ramp(softness, SLIGHTLY_SOFT, VERY_SOFT);
  return {
    maxGain: slightlySoft.maxGain + (verySoft.maxGain - slightlySoft.maxGain) * part,
    radius: slightlySoft.radius + (verySoft.radius - slightlySoft.radius) * part,
  };
}

const NETWORKS = {
  photo: { role: 'restore-photo', limits: { size: 320, feather: 8, context: 10 } },
  texture: { role: 'restore-texture', limits: { size: 144, feather: 8, context: 12 } },
} as const;

/** What a network for photos makes of a picture, reduced to its detail. */
export async function runPhotoNetwork(
  { sessions, signal }: Pick<PipelineContext, 'sessions' | 'signal'>,
  picture: Raster,
  softness: number,
  network: PhotoNetwork,
  onProgress: (fraction: number) => void,
): Promise<Raster> {
  const { role, limits } = NETWORKS[network];
  const factor = 1 / reductionFor(network, softness);
  const width = Math.max(1, Math.round(picture.width * factor));
  const height = Math.max(1, Math.round(picture.height * factor));
  const input = await resize(picture, width, height, 'cubic');
  const enlarged = await enlarge(await sessions.get(role), input, {
    limits,
    signal,
    onTile: (done, total) => onProgress(done / total),
  });
  return await resize(enlarged, picture.width, picture.height, 'cubic');
}
