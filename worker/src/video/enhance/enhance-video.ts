import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { VideoPipeline, VideoPlan } from '@clearframe/contract';
import type { Role } from '../../networks/manifest.js';
import type { Sessions } from '../../networks/sessions.js';
import { FaceRestorer } from '../faces/face-restorer.js';
import type { VideoTools } from '../ffmpeg/locate.js';
import { FfmpegError } from '../ffmpeg/run.js';
import { cleaningFilters, fittingSize } from '../frames/filters.js';
import { type Frame, lumaOf } from '../frames/frame.js';
import { sharpenLuma } from '../picture/sharpen.js';
import { probeVideo, type VideoFacts } from '../probe/probe-video.js';
import { writeDisplayInput } from './display-input.js';
import { FILES, type VideoOutcome, type VideoUpdate } from './files.js';
import { type MeasuredCleaning, measureCleaning } from './measure-cleaning.js';
import { VideoWork } from './video-work.js';

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

/** The preview frame's place in the video, and milliseconds before it is made at the earliest. */
const PREVIEW = { part: 0.1, afterMs: 2000 } as const;

/** Decodes, enhances and encodes frame by frame; memory does not grow with the length. */
export async function enhanceVideo(
  tools: VideoTools,
  sessions: Sessions | null,
  { path, folder, aiPipeline, plan, maxSide, signal, onUpdate }: EnhanceOptions,
): Promise<VideoOutcome> {
  const started = performance.now();
  const facts = await probeVideo(tools, path, { folder, signal });
  const work = new VideoWork(tools, path, folder, facts, fittingSize(facts, maxSide), signal);
  await work.prepare();
  const { backgroundEnhance, colorEnhance } = aiPipeline;
  const cleaning =
    backgroundEnhance && backgroundEnhance.strength !== 0
      ? measureCleaning(await work.samples(), backgroundEnhance.strength ?? 1)
      : null;
  const looks = colorEnhance ? await work.writeLooks(colorEnhance.model, colorEnhance.strength ?? 1) : [];
  const measured = performance.now();
  const { faceEnhance } = aiPipeline;
  const faces =
    sessions && faceEnhance && plan.recipe === 'faces'
      ? await FaceRestorer.create(sessions, work.is709, faceEnhance.strength ?? 1)
      : null;

  const reader = work.read(cleaningFilters(cleaning));
  const writer = work.write(looks);
  let frames = 0;
  let preview: Frame | null = null;
  try {
    for (let frame = await reader.next(); frame; frame = await reader.next()) {
      signal.throwIfAborted();
      const enhanced = enhanceFrame(frame, cleaning);
      if (faces) await faces.restore(frame, enhanced.data);
      if (frames === 0) await work.writePoster(enhanced);
      await writer.write(enhanced);
      frames++;
      const part = frames / facts.frameCount;
      const seconds = ((performance.now() - measured) / 1000 / frames) * Math.max(0, facts.frameCount - frames);
      if (faces) faces.stride = strideFor(performance.now() - started, frames, facts.frameCount, faces.stride);
      onUpdate({ type: 'progress', fraction: Math.min(1, part), seconds });
      if (!preview && part >= PREVIEW.part && performance.now() - started > PREVIEW.afterMs) {
        preview = enhanced;
        const number = frames - 1;
        // Beside the next frames; a preview that can't be made is left out.
        void work.writePreview(enhanced).then(
          () => onUpdate({ type: 'preview', frame: number }),
          () => undefined,
        );
      }
    }
    if (frames === 0) throw new FfmpegError('no frame was decoded');
    await writer.finish();
  } finally {
    reader.close();
    writer.close();
  }
  const encoded = performance.now();
  const isTranscoded = await writeDisplayInput(work, facts.isBrowserPlayable);
  const ended = performance.now();
  const { size: sizeBytes } = await stat(join(folder, FILES.result));
  const tooled = (['faceEnhance', 'backgroundEnhance', 'colorEnhance'] as const).filter((tool) => aiPipeline[tool]);
  const roles: Role[] = sessions?.clock.takeRoles() ?? [];
  return {
    width: work.width,
    height: work.height,
    duration: (await probeVideo(tools, join(folder, FILES.result), { folder, signal })).duration,
    sizeBytes,
    recipe: faces ? 'faces' : 'signal',
    tools: tooled,
    roles,
    notes: notesOf(facts, work),
    facesFollowed: faces?.tracker.followed ?? 0,
    facesRestored: faces?.restored ?? 0,
    timings: [
      { step: 'measure', ms: Math.round(measured - started) },
      { step: 'frames', ms: Math.round(encoded - measured) },
      { step: isTranscoded ? 'transcode-original' : 'copy-original', ms: Math.round(ended - encoded) },
    ],
  };
}

/** Frames after which the pace is known. */
const PACED_AFTER = 24;
/** Milliseconds in which a video of this recipe must end. */
const WITHIN_MS = 115_000;
const MAX_STRIDE = 4;

/** Networks run on fewer frames of a face when a video would not end in time, for instance with many faces. */
function strideFor(elapsedMs: number, frames: number, total: number, stride: number): number {
  if (frames % PACED_AFTER !== 0) return stride;
  const expected = (elapsedMs / frames) * total;
  return expected > WITHIN_MS ? Math.min(MAX_STRIDE, stride + 1) : stride;
}

function enhanceFrame(frame: Frame, cleaning: MeasuredCleaning | null): Frame {
  const data = new Uint8Array(frame.data);
  if (!cleaning || cleaning.sharpening <= 0) return { ...frame, data };
  sharpenLuma(lumaOf(frame), frame.width, frame.height, cleaning.sharpening, data);
  return { ...frame, data };
}

function notesOf({ isHdr, source, width }: VideoFacts, work: VideoWork): VideoOutcome['notes'] {
  return [
    ...(isHdr ? (['hdr_tone_mapped'] as const) : []),
    ...(source.subtitles.some((track) => track.codec !== 'mov_text') ? (['subtitles_dropped'] as const) : []),
    ...(work.width < width - 1 ? (['scaled_down'] as const) : []),
    ...(source.audio.some(({ codec }) => codec !== 'aac') ? (['audio_transcoded'] as const) : []),
  ];
}
