import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { denoisesFrames, restoresFaces, type VideoPipeline, type VideoPlan } from '@clearframe/contract';
import type { Role } from '../networks/manifest.js';
import type { Sessions } from '../networks/sessions.js';
import { writeDisplayInput } from './encode.js';
import { FaceRestorer } from './face-restorer.js';
import { FILES, type VideoOutcome, type VideoUpdate } from './files.js';
import { cleaningAroundAverage, cleaningAroundNetwork, cleaningFilters, fittingSize, isNoisy } from './filters.js';
import { enhanceFrameByFrame } from './frame-by-frame.js';
import { FrameDenoiser } from './frame-denoiser.js';
import { FrameRestorer } from './frame-restorer.js';
import type { VideoTools } from './locate.js';
import { lookFilters, looksAt, type SceneLook } from './look-filters.js';
import { measureCleaning } from './measure-cleaning.js';
import { readPacketTimes } from './packets.js';
import { type ProbedMetadata, probeVideo } from './probe-video.js';
import { readQuantizer } from './quantizer.js';
import { enhanceInOnePass } from './single-pass.js';
import { RESULT_STREAM, VideoWork } from './video-work.js';

export interface EnhanceOptions {
  readonly path: string;
  /** For the results and all other files; emptied by the caller. */
  readonly folder: string;
  readonly aiPipeline: VideoPipeline;
  readonly plan: VideoPlan;
  readonly maxSide: number;
  readonly signal: AbortSignal;
  readonly onUpdate: (update: VideoUpdate) => void;
}

/** @throws InvalidImageError, FfmpegError, or the signal's reason */
export async function enhanceVideo(
  tools: VideoTools,
  openSessions: () => Promise<Sessions>,
  { path, folder, aiPipeline, plan, maxSide, signal, onUpdate }: EnhanceOptions,
): Promise<VideoOutcome> {
  const started = performance.now();
  const metadata = await probeVideo(tools, path, { folder, signal });
  const work = new VideoWork(tools, path, folder, metadata, fittingSize(metadata, maxSide), signal);
  await work.prepare();
  const { faceEnhance, backgroundEnhance, colorEnhance } = aiPipeline;
  const hasFaces = faceEnhance !== undefined && restoresFaces(plan.recipe);
  const cleaned = backgroundEnhance?.strength === 0 ? undefined : backgroundEnhance;
  // All wait for a decoder most of the time.
  const [looks, samples, quantizer] = await Promise.all([
    colorEnhance ? work.writeLooks(colorEnhance.model, colorEnhance.strength ?? 1) : [],
    cleaned ? work.samples() : [],
    cleaned ? readQuantizer(work) : null,
  ]);
  const strength = cleaned?.strength ?? 1;
  const cleaning = cleaned ? measureCleaning(samples, quantizer, strength) : null;
  const cleansFrames = cleaning !== null && denoisesFrames(plan.recipe);
  const denoiser = cleansFrames && isNoisy(cleaning) ? new FrameDenoiser(cleaning.noise) : null;
  // Where there is neither noise to average nor compression to take back, filters do it in a part of the time.
  const takesBack = cleansFrames && !denoiser && cleaning.isCompressed;
  const sessions = hasFaces || takesBack ? await openSessions() : null;
  const restorer = takesBack && sessions ? new FrameRestorer(await sessions.get('restore-frame'), strength) : null;
  const cleaner = denoiser ?? restorer;
  const filtersOf = (scenes: readonly SceneLook[]) => (scenes.length > 0 ? [lookFilters(scenes, tools)] : []);
  const isFrameByFrame = hasFaces || cleaner !== null;
  const roles = new Set<Role>();
  const measured = performance.now();
  // Copying costs little beside networks. A second encoder would cost much.
  const copied = isFrameByFrame && metadata.isBrowserPlayable ? writeDisplayInput(work) : null;
  copied?.catch(() => undefined);
  const faces =
    hasFaces && sessions ? await FaceRestorer.create(sessions, work.is709, faceEnhance.strength ?? 1) : null;
  const around =
    cleaning && denoiser
      ? cleaningAroundAverage(cleaning)
      : cleaning && restorer
        ? cleaningAroundNetwork(cleaning)
        : null;
  const whole = cleaning && !around ? cleaningFilters(cleaning) : [];
  const filtersAt = (seconds?: number) => [
    ...whole,
    ...filtersOf(seconds === undefined ? looks : looksAt(looks, seconds)),
  ];
  if (isFrameByFrame) {
    const { before, after } = around ?? { before: whole, after: [] };
    const order = { before, after: [...after, ...filtersOf(looks)], cleaner, faces, started };
    const run = () => enhanceFrameByFrame(work, order, onUpdate);
    await (sessions ? sessions.clock.record(roles, run) : run());
  } else await enhanceInOnePass(work, filtersAt, onUpdate);
  const encoded = performance.now();
  const result = join(folder, FILES.result);
  const [{ size: sizeBytes }, { duration }] = await Promise.all([
    stat(result),
    readPacketTimes(tools, result, RESULT_STREAM, { ...work.limits, maxBytes: 0 }),
    copied ?? (isFrameByFrame ? writeDisplayInput(work) : undefined),
    isFrameByFrame ? work.writePosterOfResult() : work.writePosterOfPass(),
  ]);
  const ended = performance.now();
  const appliedTools = (['faceEnhance', 'backgroundEnhance', 'colorEnhance'] as const).filter(
    (tool) => aiPipeline[tool],
  );
  return {
    width: work.width,
    height: work.height,
    duration,
    sizeBytes,
    recipe: faces ? (cleaner ? 'faces_and_frames' : 'faces') : cleaner ? 'frames' : 'signal',
    tools: appliedTools,
    models: sessions?.referencesOf(roles) ?? [],
    notes: notesOf(metadata, work),
    facesFollowed: faces?.people.count ?? 0,
    facesRestored: faces?.restored ?? 0,
    timings: [
      { step: 'measure', ms: Math.round(measured - started) },
      { step: 'frames', ms: Math.round(encoded - measured) },
      {
        step: isFrameByFrame && !metadata.isBrowserPlayable ? 'transcode-original' : 'finish',
        ms: Math.round(ended - encoded),
      },
    ],
  };
}

function notesOf({ isHdr, isCutOff, source, width }: ProbedMetadata, work: VideoWork): VideoOutcome['notes'] {
  return [
    ...(isCutOff ? (['cut_off'] as const) : []),
    ...(isHdr ? (['hdr_tone_mapped'] as const) : []),
    ...(source.subtitles.some((track) => track.codec !== 'mov_text') ? (['subtitles_dropped'] as const) : []),
    ...(work.width < width - 1 ? (['scaled_down'] as const) : []),
    ...(source.audio.some(({ codec }) => codec !== 'aac') ? (['audio_transcoded'] as const) : []),
    ...(source.unreadAudioTracks > 0 ? (['audio_dropped'] as const) : []),
  ];
}
